package io.fairlead.server.resources.batch;

import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import tools.jackson.databind.JsonNode;

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
    String restart = spec.at("/template/spec/restartPolicy").asString("");
    if (!restart.equals("Never")) {
      problems.invalid(
          path + ".template.spec.restartPolicy",
          restart,
          "only \"Never\" is supported when podFailurePolicy is specified");
    }
    JsonNode rules = policy.path("rules");
    String list = path + ".podFailurePolicy.rules";
    if (rules.size() > MOST_RULES) {
      problems.invalid(list, rules.size(), "must have at most " + MOST_RULES + " items");
    }
    for (int i = 0; i < rules.size(); i++) {
      rule(rules.path(i), list + "[" + i + "]", spec, problems);
    }
  }

  private static void rule(JsonNode rule, String path, JsonNode spec, Problems problems) {
    problems.requiredOneOf(
        path + ".action", rule.path("action"), List.of("Count", "FailIndex", "FailJob", "Ignore"));
    if (rule.path("action").asString("").equals("FailIndex")
        && !spec.path("backoffLimitPerIndex").isNumber()) {
      problems.invalid(
          path + ".action", "FailIndex", "requires the backoffLimitPerIndex field to be specified");
    }
    boolean codes = rule.path("onExitCodes").isObject();
    boolean conditions = !rule.path("onPodConditions").isEmpty();
    if (codes == conditions) {
      problems.invalid(
          path,
          rule,
          codes
              ? "specifying both OnExitCodes and OnPodConditions is not supported"
              : "specifying one of OnExitCodes and OnPodConditions is required");
    }
    if (codes) {
      exitCodes(rule.path("onExitCodes"), path + ".onExitCodes", problems);
    }
    for (int i = 0; i < rule.path("onPodConditions").size(); i++) {
      JsonNode status = rule.path("onPodConditions").path(i).path("status");
      if (!status.isMissingNode()) {
        problems.oneOf(
            path + ".onPodConditions[" + i + "].status",
            status,
            List.of("False", "True", "Unknown"));
      }
    }
  }

  private static void exitCodes(JsonNode codes, String path, Problems problems) {
    problems.requiredOneOf(path + ".operator", codes.path("operator"), List.of("In", "NotIn"));
    JsonNode values = codes.path("values");
    if (values.isEmpty()) {
      problems.invalid(path + ".values", values, "at least one value is required");
    } else if (values.size() > MOST_VALUES) {
      problems.invalid(
          path + ".values", values.size(), "must have at most " + MOST_VALUES + " items");
    }
    boolean in = codes.path("operator").asString("").equals("In");
    for (int i = 0; i < values.size(); i++) {
      if (in && values.path(i).asInt(0) == 0) {
        problems.invalid(
            path + ".values[" + i + "]", values.path(i), "must not be 0 for the In operator");
      }
    }
  }
}
