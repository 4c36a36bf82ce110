package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What is wrong with the rules and selectors of webhooks and policies.
final class AdmissionRuleValidation {
  private static final List<String> OPERATIONS =
      List.of("*", "CONNECT", "CREATE", "DELETE", "UPDATE");

  private AdmissionRuleValidation() {}

  /// @param subresources whether the rule is held to how parts of resources are written
  static void rule(Problems problems, String path, JsonNode rule, boolean subresources) {
    list(problems, path + ".operations", rule.path("operations"));
    onlyAll(
        problems,
        path + ".operations",
        rule.path("operations"),
        "if '*' is present, must not specify other operations");
    int index = 0;
    for (JsonNode operation : rule.path("operations")) {
      problems.oneOf(path + ".operations[" + index++ + "]", operation, OPERATIONS);
    }
    list(problems, path + ".apiGroups", rule.path("apiGroups"));
    onlyAll(
        problems,
        path + ".apiGroups",
        rule.path("apiGroups"),
        "if '*' is present, must not specify other API groups");
    list(problems, path + ".apiVersions", rule.path("apiVersions"));
    onlyAll(
        problems,
        path + ".apiVersions",
        rule.path("apiVersions"),
        "if '*' is present, must not specify other API versions");
    index = 0;
    for (JsonNode version : rule.path("apiVersions")) {
      if (version.asString("").isEmpty()) {
        problems.required(path + ".apiVersions[" + index + "]");
      }
      index++;
    }
    resources(problems, path + ".resources", rule.path("resources"), subresources);
    JsonNode scope = rule.path("scope");
    if (!scope.isMissingNode()) {
      problems.oneOf(path + ".scope", scope, List.of("*", "Cluster", "Namespaced"));
    }
  }

  private static void list(Problems problems, String path, JsonNode list) {
    if (list.isEmpty()) {
      problems.required(path);
    }
  }

  private static void onlyAll(Problems problems, String path, JsonNode list, String text) {
    if (list.size() > 1 && texts(list).contains("*")) {
      problems.add(FieldError.invalid(path, list, text));
    }
  }

  private static void resources(
      Problems problems, String path, JsonNode resources, boolean subresources) {
    if (resources.isEmpty()) {
      problems.required(path);
      return;
    }
    List<String> texts = texts(resources);
    Set<String> whole = new HashSet<>();
    Set<String> parts = new HashSet<>();
    boolean everything = texts.contains("*/*");
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      String at = path + "[" + i + "]";
      if (text.isEmpty()) {
        problems.required(at);
        continue;
      }
      int slash = text.indexOf('/');
      if (slash < 0) {
        continue;
      }
      String resource = text.substring(0, slash);
      String part = text.substring(slash + 1);
      if (whole.contains(resource)) {
        problems.invalid(at, text, "if '" + resource + "/*' is present, must not specify " + text);
      }
      if (parts.contains(part)) {
        problems.invalid(at, text, "if '*/" + part + "' is present, must not specify " + text);
      }
      if (part.equals("*")) {
        whole.add(resource);
      }
      if (resource.equals("*")) {
        parts.add(part);
      }
    }
    if (texts.size() > 1 && everything) {
      problems.add(
          FieldError.invalid(
              path, resources, "if '*/*' is present, must not specify other resources"));
    }
    boolean plainAndAll =
        texts.contains("*")
            && texts.stream().anyMatch(text -> !text.equals("*") && !text.contains("/"));
    if (subresources && plainAndAll) {
      problems.add(
          FieldError.invalid(
              path,
              resources,
              "if '*' is present, must not specify other resources without subresources"));
    }
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(each -> texts.add(each.asString("")));
    return texts;
  }

  /// The object form of a label selector.
  static void labelSelector(Problems problems, String path, JsonNode selector) {
    for (Map.Entry<String, JsonNode> label : selector.path("matchLabels").properties()) {
      String key = label.getKey();
      String value = label.getValue().asString("");
      problems.each(path + ".matchLabels", key, NameValidation.qualifiedName(key));
      problems.each(path + ".matchLabels", value, NameValidation.labelValue(value));
    }
    int index = 0;
    for (JsonNode expression : selector.path("matchExpressions")) {
      String at = path + ".matchExpressions[" + index++ + "]";
      String operator = Json.textOr(expression, "", "operator");
      int values = expression.path("values").size();
      switch (operator) {
        case "In", "NotIn" -> {
          if (values == 0) {
            problems.required(
                at + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
          }
        }
        case "Exists", "DoesNotExist" -> {
          if (values > 0) {
            problems.forbidden(
                at + ".values",
                "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
          }
        }
        default -> problems.invalid(at + ".operator", operator, "not a valid selector operator");
      }
      String key = Json.textOr(expression, "", "key");
      problems.each(at + ".key", key, NameValidation.qualifiedName(key));
    }
  }
}
