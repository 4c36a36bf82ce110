package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.cel.CelCompileException;
import io.fairlead.server.cel.CelEnvironment;
import io.fairlead.server.cel.CelProgram;
import io.fairlead.server.cel.CelType;
import io.fairlead.server.resources.kind.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is wrong with the rules in CEL of a schema: whether they compile, and what they would cost
/// at most. The cost of a rule counts as often as its value can occur.
final class RuleChecks {
  private static final double RULE_LIMIT = 10_000_000;
  private static final double SCHEMA_LIMIT = 100_000_000;

  /// How far above a limit an estimate must be for a refusal. The estimate is not the original's to
  /// the last digit, and a definition that is in use elsewhere must not be refused for that; what a
  /// run costs is bounded all the same.
  private static final double TOLERANCE = 10;

  private static final int MESSAGE_LENGTH = 2048;
  private static final String SIMPLIFY =
      " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays,"
          + " maps, and strings are declared)";
  private static final List<String> REASONS =
      List.of(
          "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired");

  private final Problems problems = new Problems();
  private final List<Cost> costs = new ArrayList<>();

  private RuleChecks() {}

  /// What an expression costs at most.
  private record Cost(String path, double cost) {}

  static List<FieldError> check(ObjectNode root, String path) {
    RuleChecks checks = new RuleChecks();
    StructuralSchema schema = SchemaCompiler.compile(root);
    if (!schema.hasRules()) {
      return List.of();
    }
    checks.walk(schema, path, true, 1);
    checks.total(path);
    return checks.problems.list();
  }

  private void walk(StructuralSchema schema, String path, boolean root, double times) {
    int index = 0;
    for (ObjectNode rule : schema.rules()) {
      rule(rule, schema, path + ".x-kubernetes-validations[" + index + "]", root, times);
      index++;
    }
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      if (property.getValue().hasRules()) {
        walk(property.getValue(), path + ".properties[" + property.getKey() + "]", false, times);
      }
    }
    if (schema.items() != null && schema.items().hasRules()) {
      walk(schema.items(), path + ".items", false, times * most(schema));
    }
    if (schema.additional() != null && schema.additional().hasRules()) {
      walk(schema.additional(), path + ".additionalProperties", false, times * most(schema));
    }
  }

  private static double most(StructuralSchema schema) {
    return RuleTypes.of(schema, false).maxSize();
  }

  private void rule(
      ObjectNode rule, StructuralSchema schema, String path, boolean root, double times) {
    String text = Json.textOr(rule, "", "rule");
    words(rule, path);
    if (text.isBlank()) {
      problems.required(path + ".rule", "rule is not specified");
      return;
    }
    boolean optionalOld = rule.path("optionalOldSelf").asBoolean(false);
    CelEnvironment environment = SchemaRule.environment(RuleTypes.of(schema, root), optionalOld);
    fieldPath(rule, schema, path);
    try {
      CelProgram program = environment.compile(text);
      if (!program.isCondition()) {
        problems.invalid(path + ".rule", shown(rule), "cel expression must evaluate to a bool");
        return;
      }
      if (optionalOld && !program.variables().contains("oldSelf")) {
        problems.invalid(
            path + ".optionalOldSelf",
            rule.path("optionalOldSelf"),
            "may not be set if oldSelf is not used in rule");
      }
      cost(path + ".rule", "rule", program, times);
    } catch (CelCompileException e) {
      problems.invalid(path + ".rule", shown(rule), "compilation failed: " + e.getMessage());
      return;
    }
    message(rule, environment, path, times);
  }

  private void words(ObjectNode rule, String path) {
    String message = Json.textOr(rule, "", "message");
    if (rule.has("message") && message.isBlank() && !message.isEmpty()) {
      problems.invalid(path + ".message", message, "message must be non-empty if specified");
    } else if (message.strip().contains("\n")) {
      problems.invalid(path + ".message", message, "must not contain line breaks");
    } else if (message.length() > MESSAGE_LENGTH) {
      problems.add(FieldError.tooLong(path + ".message", MESSAGE_LENGTH));
    }
    JsonNode reason = rule.path("reason");
    if (!reason.isMissingNode()) {
      problems.oneOf(path + ".reason", reason, REASONS);
    }
  }

  private void fieldPath(ObjectNode rule, StructuralSchema schema, String path) {
    String field = Json.textOr(rule, "", "fieldPath");
    if (field.isEmpty()) {
      return;
    }
    StructuralSchema at = schema;
    for (String step :
        field.replaceFirst("^\\.", "").replaceAll("\\['([^']*)'\\]", ".$1").split("\\.", -1)) {
      at = at == null ? null : at.member(step);
    }
    if (at == null) {
      problems.invalid(path + ".fieldPath", field, "must be a valid path");
    }
  }

  private void message(ObjectNode rule, CelEnvironment environment, String path, double times) {
    String words = Json.textOr(rule, "", "messageExpression");
    if (words.isBlank()) {
      if (!words.isEmpty()) {
        problems.required(path + ".messageExpression", "must be non-empty if specified");
      }
      return;
    }
    try {
      CelProgram program = environment.compile(words);
      if (program.type().kind() != CelType.Kind.STRING
          && program.type().kind() != CelType.Kind.DYN) {
        problems.invalid(
            path + ".messageExpression",
            shown(rule),
            "messageExpression must evaluate to a string");
        return;
      }
      cost(path + ".messageExpression", "messageExpression", program, times);
    } catch (CelCompileException e) {
      problems.invalid(
          path + ".messageExpression",
          shown(rule),
          "messageExpression compilation failed: " + e.getMessage());
    }
  }

  private void cost(String path, String what, CelProgram program, double times) {
    double cost = program.estimatedCost() * times;
    costs.add(new Cost(path, cost));
    if (cost > RULE_LIMIT * TOLERANCE) {
      problems.forbidden(
          path,
          "estimated " + what + " cost exceeds budget by " + factor(cost, RULE_LIMIT) + SIMPLIFY);
    }
  }

  private void total(String path) {
    double total = costs.stream().mapToDouble(Cost::cost).sum();
    if (total <= SCHEMA_LIMIT * TOLERANCE) {
      return;
    }
    for (Cost each : costs) {
      if (each.cost() > SCHEMA_LIMIT / 100) {
        problems.forbidden(
            each.path(),
            "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3"
                + " schema");
      }
    }
    problems.forbidden(
        path,
        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds"
            + " budget by "
            + factor(total, SCHEMA_LIMIT)
            + SIMPLIFY);
  }

  private static String factor(double cost, double limit) {
    double factor = cost / limit;
    return factor > 100
        ? "factor of more than 100x"
        : "factor of " + String.format(Locale.ROOT, "%.1f", factor) + "x";
  }

  /// A rule as the original prints it.
  private static JsonNode shown(ObjectNode rule) {
    ObjectNode out = Json.object();
    out.put("Rule", Json.textOr(rule, "", "rule"));
    out.put("Message", Json.textOr(rule, "", "message"));
    out.put("MessageExpression", Json.textOr(rule, "", "messageExpression"));
    out.set(
        "Reason",
        rule.path("reason").isMissingNode() ? Json.object().nullNode() : rule.path("reason"));
    out.put("FieldPath", Json.textOr(rule, "", "fieldPath"));
    out.set(
        "OptionalOldSelf",
        rule.path("optionalOldSelf").isMissingNode()
            ? Json.object().nullNode()
            : rule.path("optionalOldSelf"));
    return out;
  }
}
