package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.server.cel.CelType;
import io.fairlead.server.resources.kind.Problems;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What is wrong with admission policies and their bindings.
final class AdmissionPolicyValidation {
  private static final List<String> REASONS =
      List.of("Forbidden", "Invalid", "RequestEntityTooLarge", "Unauthorized");
  private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");
  private static final AdmissionExpressions EXPRESSIONS = AdmissionExpressions.OF_POLICY;

  private AdmissionPolicyValidation() {}

  /// @param mutating whether it changes what is written
  static void policy(Problems problems, JsonNode spec, boolean mutating) {
    chosen(problems, "spec.failurePolicy", spec.path("failurePolicy"), List.of("Fail", "Ignore"));
    JsonNode kind = spec.path("paramKind");
    if (kind.isObject()) {
      for (String part : List.of("apiVersion", "kind")) {
        if (Json.textOr(kind, "", part).isEmpty()) {
          problems.required("spec.paramKind." + part);
        }
      }
    }
    if (spec.path("matchConstraints").isObject()) {
      match(problems, "spec.matchConstraints", spec.path("matchConstraints"));
      if (spec.path("matchConstraints").path("resourceRules").isEmpty()) {
        problems.required("spec.matchConstraints.resourceRules");
      }
    } else {
      problems.required("spec.matchConstraints");
    }
    ExpressionValidation.conditions(
        problems, "spec.matchConditions", spec.path("matchConditions"), EXPRESSIONS);
    variables(problems, spec.path("variables"));
    if (mutating) {
      MutationValidation.operations(problems, spec.path("matchConstraints"));
      MutationValidation.mutations(problems, spec);
    } else {
      validations(problems, spec);
    }
  }

  private static void validations(Problems problems, JsonNode spec) {
    if (spec.path("validations").isEmpty() && spec.path("auditAnnotations").isEmpty()) {
      problems.required(
          "spec.validations", "validations or auditAnnotations must contain at least one item");
      problems.required(
          "spec.auditAnnotations",
          "validations or auditAnnotations must contain at least one item");
    }
    int index = 0;
    for (JsonNode validation : spec.path("validations")) {
      validation(problems, "spec.validations[" + index++ + "]", validation);
    }
    annotations(problems, spec.path("auditAnnotations"));
  }

  private static void variables(Problems problems, JsonNode variables) {
    Set<String> names = new HashSet<>();
    int index = 0;
    for (JsonNode variable : variables) {
      String path = "spec.variables[" + index++ + "]";
      String name = Json.textOr(variable, "", "name");
      if (name.isEmpty()) {
        problems.required(path + ".name", "name is not specified");
      } else if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        problems.invalid(path + ".name", name, "name is not a valid CEL identifier");
      } else {
        problems.unique(path + ".name", name, names);
      }
      ExpressionValidation.any(
          problems, path + ".expression", Json.textOr(variable, "", "expression"), EXPRESSIONS);
    }
  }

  private static void validation(Problems problems, String path, JsonNode validation) {
    ExpressionValidation.condition(
        problems, path + ".expression", Json.textOr(validation, "", "expression"), EXPRESSIONS);
    String message = Json.textOr(validation, "", "message");
    if (message.indexOf('\n') >= 0) {
      problems.invalid(path + ".message", message, "message must not contain line breaks");
    }
    if (validation.has("messageExpression")) {
      ExpressionValidation.typed(
          problems,
          path + ".messageExpression",
          Json.textOr(validation, "", "messageExpression"),
          EXPRESSIONS,
          CelType.STRING);
    }
    chosen(problems, path + ".reason", validation.path("reason"), REASONS);
  }

  private static void annotations(Problems problems, JsonNode annotations) {
    Set<String> keys = new HashSet<>();
    int index = 0;
    for (JsonNode annotation : annotations) {
      String path = "spec.auditAnnotations[" + index++ + "]";
      String key = Json.textOr(annotation, "", "key");
      if (key.isEmpty()) {
        problems.required(path + ".key");
      } else {
        problems.each(path + ".key", key, NameValidation.qualifiedName(key));
        problems.unique(path + ".key", key, keys);
      }
      ExpressionValidation.any(
          problems,
          path + ".valueExpression",
          Json.textOr(annotation, "", "valueExpression"),
          EXPRESSIONS);
    }
  }

  /// @param mutating whether its policy changes what is written
  static void binding(Problems problems, JsonNode spec, boolean mutating) {
    String policy = Json.textOr(spec, "", "policyName");
    if (policy.isEmpty()) {
      problems.required("spec.policyName");
    } else {
      problems.each("spec.policyName", policy, NameValidation.dns1123Subdomain(policy));
    }
    JsonNode reference = spec.path("paramRef");
    if (reference.isObject()) {
      boolean named = !Json.textOr(reference, "", "name").isEmpty();
      boolean selected = reference.path("selector").isObject();
      if (named && selected) {
        String both = "name and selector are mutually exclusive";
        problems.forbidden("spec.paramRef.name", both);
        problems.forbidden("spec.paramRef.selector", both);
      }
      if (!named && !selected) {
        problems.required("spec.paramRef", "one of name or selector must be specified");
      }
      JsonNode action = reference.path("parameterNotFoundAction");
      if (action.isMissingNode()) {
        problems.required("spec.paramRef.parameterNotFoundAction");
      } else {
        problems.oneOf("spec.paramRef.parameterNotFoundAction", action, List.of("Allow", "Deny"));
      }
    }
    if (spec.path("matchResources").isObject()) {
      match(problems, "spec.matchResources", spec.path("matchResources"));
    }
    if (!mutating) {
      actions(problems, spec.path("validationActions"));
    }
  }

  private static void actions(Problems problems, JsonNode actions) {
    if (actions.isEmpty()) {
      problems.required("spec.validationActions");
    }
    Set<String> seen = new HashSet<>();
    int index = 0;
    for (JsonNode action : actions) {
      String path = "spec.validationActions[" + index++ + "]";
      problems.oneOf(path, action, ACTIONS);
      problems.unique(path, action.asString(""), seen);
    }
    if (seen.contains("Deny") && seen.contains("Warn")) {
      problems.invalid("spec.validationActions", actions, "must not contain both Deny and Warn");
    }
  }

  private static void match(Problems problems, String path, JsonNode match) {
    AdmissionRuleValidation.labelSelector(
        problems, path + ".namespaceSelector", match.path("namespaceSelector"));
    AdmissionRuleValidation.labelSelector(
        problems, path + ".objectSelector", match.path("objectSelector"));
    for (String list : List.of("resourceRules", "excludeResourceRules")) {
      int index = 0;
      for (JsonNode rule : match.path(list)) {
        AdmissionRuleValidation.rule(problems, path + "." + list + "[" + index++ + "]", rule, true);
      }
    }
    chosen(
        problems, path + ".matchPolicy", match.path("matchPolicy"), List.of("Equivalent", "Exact"));
  }

  static void chosen(Problems problems, String path, JsonNode value, List<String> choices) {
    if (!value.isMissingNode()) {
      problems.oneOf(path, value, choices);
    }
  }
}
