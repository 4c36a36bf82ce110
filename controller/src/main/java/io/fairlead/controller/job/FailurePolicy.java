package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.PodFailure;
import io.fairlead.controller.workload.WorkloadPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// What a failed pod means for its Job (`spec.podFailurePolicy`): the first rule that fits decides;
/// a pod that none fits counts as failed.
///
/// @param rules in their order
record FailurePolicy(List<Rule> rules) {
  /// Without a policy every failed pod counts.
  static final FailurePolicy NONE = new FailurePolicy(List.of());

  static final String COUNT = "Count";
  static final String FAIL_JOB = "FailJob";
  static final String FAIL_INDEX = "FailIndex";
  static final String IGNORE = "Ignore";

  /// @param action `FailJob`, `FailIndex`, `Ignore` or `Count`
  /// @param exitCodes what containers must have ended with
  /// @param conditions what must be said of the pod, one of them
  record Rule(String action, Optional<ExitCodes> exitCodes, List<PodFailure.Condition> conditions) {
    Rule {
      conditions = List.copyOf(conditions);
    }
  }

  /// @param container whose end counts; empty for any
  /// @param in whether the code must be one of the values, or none of them
  record ExitCodes(String container, boolean in, Set<Integer> values) {
    ExitCodes {
      values = Set.copyOf(values);
    }

    /// A container that ended well fits no rule.
    boolean fits(PodFailure.Exit exit) {
      boolean named = container.isEmpty() || container.equals(exit.container());
      return named && exit.code() != 0 && values.contains(exit.code()) == in;
    }
  }

  /// What a rule says about a pod.
  ///
  /// @param message why, for the Job's condition
  record Decision(String action, String message) {
    static final Decision COUNTS = new Decision(COUNT, "");
  }

  FailurePolicy {
    rules = List.copyOf(rules);
  }

  static FailurePolicy of(JsonNode policy) {
    List<Rule> rules = new ArrayList<>();
    for (JsonNode rule : policy.path("rules")) {
      List<PodFailure.Condition> conditions = new ArrayList<>();
      for (JsonNode pattern : rule.path("onPodConditions")) {
        conditions.add(
            new PodFailure.Condition(
                Json.textOr(pattern, "", "type"), Json.textOr(pattern, "True", "status")));
      }
      rules.add(
          new Rule(
              Json.textOr(rule, COUNT, "action"),
              rule.get("onExitCodes") instanceof JsonNode codes && codes.isObject()
                  ? Optional.of(exitCodes(codes))
                  : Optional.empty(),
              conditions));
    }
    return rules.isEmpty() ? NONE : new FailurePolicy(rules);
  }

  private static ExitCodes exitCodes(JsonNode codes) {
    Set<Integer> values = new TreeSet<>();
    codes.path("values").forEach(value -> values.add(value.asInt(0)));
    return new ExitCodes(
        Json.textOr(codes, "", "containerName"),
        Json.textOr(codes, "In", "operator").equals("In"),
        values);
  }

  boolean isPresent() {
    return !rules.isEmpty();
  }

  /// @param pod one that failed
  Decision judge(WorkloadPod pod) {
    for (int i = 0; i < rules.size(); i++) {
      Rule rule = rules.get(i);
      Optional<String> fact = fact(rule, pod);
      if (fact.isPresent()) {
        return new Decision(
            rule.action(), fact.get() + " matching " + rule.action() + " rule at index " + i);
      }
    }
    return Decision.COUNTS;
  }

  private static Optional<String> fact(Rule rule, WorkloadPod pod) {
    Optional<String> exit =
        rule.exitCodes()
            .flatMap(codes -> pod.ending().exits().stream().filter(codes::fits).findFirst())
            .map(
                found ->
                    "Container "
                        + found.container()
                        + " for pod "
                        + pod.key()
                        + " failed with exit code "
                        + found.code());
    return exit.or(
        () ->
            rule.conditions().stream()
                .filter(pod.ending().conditions()::contains)
                .findFirst()
                .map(found -> "Pod " + pod.key() + " has condition " + found.type()));
  }
}
