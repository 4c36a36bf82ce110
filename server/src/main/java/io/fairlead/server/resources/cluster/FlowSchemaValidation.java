package io.fairlead.server.resources.cluster;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// Checks the rules of a flow schema: whose requests and which of them it is for.
final class FlowSchemaValidation {
  private static final List<String> VERBS =
      List.of(
          "create",
          "delete",
          "deletecollection",
          "get",
          "list",
          "patch",
          "proxy",
          "update",
          "watch");
  private static final List<String> SUBJECTS = List.of("Group", "ServiceAccount", "User");

  /// The member of a subject for each kind, in the order in which a wrong one is reported.
  private static final List<String> MEMBERS = List.of("serviceAccount", "user", "group");

  private final Problems problems;

  FlowSchemaValidation(Problems problems) {
    this.problems = problems;
  }

  void check(JsonNode rules, String path) {
    int index = 0;
    for (JsonNode rule : rules) {
      rule(rule, path + "[" + index++ + "]");
    }
  }

  private void rule(JsonNode rule, String path) {
    if (rule.path("subjects").isEmpty()) {
      problems.required(path + ".subjects", "subjects must contain at least one value");
    }
    each(rule.path("subjects"), path + ".subjects", this::subject);
    if (rule.path("resourceRules").isEmpty() && rule.path("nonResourceRules").isEmpty()) {
      problems.required(
          path, "at least one of resourceRules and nonResourceRules has to be non-empty");
    }
    each(rule.path("resourceRules"), path + ".resourceRules", this::resources);
    each(rule.path("nonResourceRules"), path + ".nonResourceRules", this::paths);
  }

  private void subject(JsonNode subject, String path) {
    String kind = subject.path("kind").asString("");
    if (!SUBJECTS.contains(kind)) {
      problems.oneOf(path + ".kind", subject.path("kind"), SUBJECTS);
      return;
    }
    String own = Character.toLowerCase(kind.charAt(0)) + kind.substring(1);
    JsonNode named = subject.path(own);
    if (!named.isObject()) {
      problems.required(path + "." + own, own + " is required when subject kind is '" + kind + "'");
    } else if (kind.equals("ServiceAccount")) {
      serviceAccount(named, path + "." + own);
    } else if (named.path("name").asString("").isEmpty()) {
      problems.required(path + "." + own + ".name");
    }
    for (String member : MEMBERS) {
      if (!member.equals(own) && subject.path(member).isObject()) {
        String other = Character.toUpperCase(member.charAt(0)) + member.substring(1);
        problems.forbidden(
            path + "." + member, member + " is forbidden when subject kind is not '" + other + "'");
      }
    }
  }

  private void serviceAccount(JsonNode account, String path) {
    String name = account.path("name").asString("");
    if (name.isEmpty()) {
      problems.required(path + ".name");
    } else if (!name.equals("*")) {
      problems.each(path + ".name", name, NameValidation.dns1123Subdomain(name));
    }
    String namespace = account.path("namespace").asString("");
    if (namespace.isEmpty()) {
      problems.required(path + ".namespace", "must specify namespace for service account");
    } else {
      problems.each(path + ".namespace", namespace, NameValidation.dns1123Label(namespace));
    }
  }

  private void resources(JsonNode rule, String path) {
    verbs(rule.path("verbs"), path + ".verbs");
    some(rule.path("apiGroups"), path + ".apiGroups", "api group", "api groups");
    some(rule.path("resources"), path + ".resources", "resource", "resources");
    JsonNode namespaces = rule.path("namespaces");
    if (namespaces.isEmpty()) {
      if (!rule.path("clusterScope").asBoolean(false)) {
        problems.required(
            path + ".namespaces",
            "resource rules that are not cluster scoped must supply at least one namespace");
      }
    } else if (!all(namespaces, path + ".namespaces", "namespaces")) {
      each(
          namespaces,
          path + ".namespaces",
          (namespace, at) -> {
            for (String text : NameValidation.dns1123Label(namespace.asString(""))) {
              problems.invalid(
                  at,
                  namespace,
                  "each member of this list must be '*' or a DNS-1123 label; " + text);
            }
          });
    }
  }

  private void paths(JsonNode rule, String path) {
    verbs(rule.path("verbs"), path + ".verbs");
    JsonNode urls = rule.path("nonResourceURLs");
    if (urls.isEmpty()) {
      problems.required(
          path + ".nonResourceURLs", "nonResourceURLs must contain at least one value");
    } else if (!all(urls, path + ".nonResourceURLs", "non-resource URLs")) {
      each(
          urls,
          path + ".nonResourceURLs",
          (url, at) -> urlProblem(url.asString(""), text -> problems.invalid(at, url, text)));
    }
  }

  private static void urlProblem(String url, Consumer<String> report) {
    int stars = url.length() - url.replace("*", "").length();
    if (url.isEmpty()) {
      report.accept("must not be empty");
    } else if (!url.startsWith("/")) {
      report.accept("must start with slash");
    } else if (url.contains(" ")) {
      report.accept("must not contain white-space");
    } else if (url.contains("//")) {
      report.accept("must not contain double slash");
    } else if (stars > 1 || (stars == 1 && !url.endsWith("/*"))) {
      report.accept("wildcard can only do suffix matching");
    }
  }

  private void verbs(JsonNode verbs, String path) {
    if (verbs.isEmpty()) {
      problems.required(path, "verbs must contain at least one value");
    } else if (!all(verbs, path, "verbs")) {
      List<String> given = new ArrayList<>();
      verbs.forEach(verb -> given.add(verb.asString("")));
      if (!VERBS.containsAll(given)) {
        problems.add(FieldError.notSupported(path, verbs, VERBS));
      }
    }
  }

  private void some(JsonNode list, String path, String one, String many) {
    if (list.isEmpty()) {
      problems.required(path, "resource rules must supply at least one " + one);
    } else {
      boolean _ = all(list, path, many);
    }
  }

  /// Whether the list has `*`, which must stand alone.
  private boolean all(JsonNode list, String path, String what) {
    boolean found = false;
    for (JsonNode item : list) {
      found |= item.asString("").equals("*");
    }
    if (found && list.size() > 1) {
      problems.invalid(path, list, "if '*' is present, must not specify other " + what);
    }
    return found;
  }

  private static void each(JsonNode list, String path, ItemCheck check) {
    int index = 0;
    for (JsonNode item : list) {
      check.check(item, path + "[" + index++ + "]");
    }
  }

  /// Checks one item of a list.
  @FunctionalInterface
  private interface ItemCheck {
    void check(JsonNode item, String path);
  }
}
