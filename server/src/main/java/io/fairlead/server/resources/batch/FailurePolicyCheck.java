package io.fairlead.server.resources.batch;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Validates `podFailurePolicy` of a Job.
final class FailurePolicyCheck {
  private static final int MOST_RULES = 20;
  private static final int MOST_VALUES = 255;

  private FailurePolicyCheck() {}

  static void check(JsonNode spec, String path, Problems problems) {
    JsonNode policy = spec.path("podFailurePolicy");
    if (!policy.isObject()) {
      return;
    }
    JsonNode rules = policy.path("rules");
    String list = path + ".podFailurePolicy.rules";
    if (rules.size() > MOST_RULES) {
      problems.add(FieldError.tooMany(list, rules.size(), MOST_RULES));
    }
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.path(i), list + "[" + i + "]", spec, problems);
    }
  }

  private static void rule(JsonNode rule, String path, JsonNode spec, Problems problems) {
    choice(
        rule.path("action"),
        path + ".action",
        List.of("Count", "FailIndex", "FailJob", "Ignore"),
        problems);
    if (rule.path("action").asString("").equals("FailIndex")
        && !spec.path("backoffLimitPerIndex").isNumber()) {
      problems.invalid(
          path + ".action", "FailIndex", "requires the backoffLimitPerIndex to be set");
    }
    boolean codes = rule.path("onExitCodes").isObject();
    boolean conditions = !rule.path("onPodConditions").isEmpty();
    if (codes) {
      exitCodes(rule.path("onExitCodes"), spec, path + ".onExitCodes", problems);
    }
    for (int i = 0; i < rule.path("onPodConditions").size(); i++) {
      JsonNode pattern = rule.path("onPodConditions").path(i);
      String at = path + ".onPodConditions[" + i + "]";
      String type = pattern.path("type").asString("");
      problems.each(at + ".type", type, NameValidation.qualifiedName(type));
      if (!pattern.path("status").isMissingNode()) {
        problems.oneOf(at + ".status", pattern.path("status"), List.of("False", "True", "Unknown"));
      }
    }
    if (codes == conditions) {
      String detail =
          codes
              ? "specifying both OnExitCodes and OnPodConditions is not supported"
              : "specifying one of OnExitCodes and OnPodConditions is required";
      problems.add(new FieldError(FieldError.Kind.INVALID, path, null, detail));
    }
  }

  /// A missing choice is told which there are.
  private static void choice(JsonNode value, String path, List<String> choices, Problems problems) {
    if (value.asString("").isEmpty()) {
      problems.required(path, "valid values: [\"" + String.join("\" \"", choices) + "\"]");
    } else {
      problems.oneOf(path, value, choices);
    }
  }

  private static void exitCodes(JsonNode codes, JsonNode spec, String path, Problems problems) {
    choice(codes.path("operator"), path + ".operator", List.of("In", "NotIn"), problems);
    JsonNode container = codes.path("containerName");
    if (container.isString() && !hasContainer(spec, container.stringValue())) {
      problems.invalid(
          path + ".containerName",
          container.stringValue(),
          "must be one of the container or initContainer names in the pod template");
    }
    JsonNode values = codes.path("values");
    if (values.isEmpty()) {
      problems.invalid(
          path + ".values",
          values.isMissingNode() ? JsonNodeFactory.instance.nullNode() : values,
          "at least one value is required");
    } else if (values.size() > MOST_VALUES) {
      problems.add(FieldError.tooMany(path + ".values", values.size(), MOST_VALUES));
    }
    boolean in = codes.path("operator").asString("").equals("In");
    boolean ordered = true;
    Set<String> seen = Problems.seen();
    for (int i = 0; i < values.size(); i++) {
      if (in && values.path(i).asInt(0) == 0) {
        problems.invalid(
            path + ".values[" + i + "]", values.path(i), "must not be 0 for the In operator");
      }
      if (!seen.add(values.path(i).asString())) {
        problems.duplicate(path + ".values[" + i + "]", values.path(i));
      }
      ordered &= i == 0 || values.path(i).asLong(0) >= values.path(i - 1).asLong(0);
    }
    if (!ordered) {
      problems.invalid(path + ".values", values, "must be ordered");
    }
  }

  private static boolean hasContainer(JsonNode spec, String name) {
    for (String list : List.of("containers", "initContainers")) {
      for (JsonNode container : spec.at("/template/spec").path(list)) {
        if (container.path("name").asString("").equals(name)) {
          return true;
        }
      }
    }
    return false;
  }
}
