package io.fairlead.controller.disruption;

import io.fairlead.controller.workload.IntOrPercent;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.StatusWriter;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What a PodDisruptionBudget says of its pods. Pure.
///
/// A pod that was evicted counts as gone from the moment the eviction was granted, or else two
/// evictions in a row could both see it as healthy. If it is still there after two minutes the
/// eviction failed, and it counts again.
///
/// @param recheck when the next granted eviction counts as failed
record BudgetStatus(ObjectNode status, Optional<Duration> recheck) {
  static final Duration EVICTION_LIMIT = Duration.ofMinutes(2);
  private static final String ALLOWED = "DisruptionAllowed";

  /// @param pods those it covers
  /// @param expected how many pods their owners ask for together
  static BudgetStatus of(
      DisruptionBudget budget, List<WorkloadPod> pods, int expected, Instant now) {
    Map<String, Instant> granted = granted(budget, pods, now);
    int desired = desired(budget, expected);
    long healthy =
        pods.stream()
            .filter(pod -> !pod.terminating() && pod.ready())
            .filter(pod -> !granted.containsKey(pod.key().name()))
            .count();
    long allowed = expected <= 0 ? 0 : Math.max(0, healthy - desired);
    ObjectNode status = StatusWriter.copy(budget.object());
    status.put("currentHealthy", healthy);
    status.put("desiredHealthy", desired);
    status.put("expectedPods", expected);
    status.put("disruptionsAllowed", allowed);
    status.remove("disruptedPods");
    granted.forEach(
        (name, at) -> status.withObject("/disruptedPods").put(name, Rfc3339Times.text(at)));
    finish(
        budget,
        status,
        allowed > 0 ? "True" : "False",
        allowed > 0 ? "SufficientPods" : "InsufficientPods",
        "",
        now);
    return new BudgetStatus(
        status,
        granted.values().stream()
            .map(at -> Duration.between(now, at.plus(EVICTION_LIMIT)))
            .min(Duration::compareTo));
  }

  /// Where the pods could not be counted nothing may go.
  static BudgetStatus failed(DisruptionBudget budget, String why, Instant now) {
    ObjectNode status = StatusWriter.copy(budget.object());
    status.put("disruptionsAllowed", 0);
    finish(budget, status, "False", "SyncFailed", why, now);
    return new BudgetStatus(status, Optional.empty());
  }

  private static void finish(
      DisruptionBudget budget,
      ObjectNode status,
      String value,
      String reason,
      String message,
      Instant now) {
    long generation = budget.metadata().generation();
    status.put("observedGeneration", generation);
    StatusConditions.set(status, ALLOWED, value, reason, message, false, now);
    if (StatusConditions.find(status, ALLOWED) instanceof ObjectNode condition) {
      condition.put("observedGeneration", generation);
    }
  }

  private static int desired(DisruptionBudget budget, int expected) {
    if (budget.spec().has("maxUnavailable")) {
      int down = IntOrPercent.of(budget.spec().path("maxUnavailable"), expected, true, 0);
      return Math.max(0, expected - down);
    }
    return IntOrPercent.of(budget.spec().path("minAvailable"), expected, true, 0);
  }

  /// Granted evictions whose pods are still there, and not yet for too long.
  private static Map<String, Instant> granted(
      DisruptionBudget budget, List<WorkloadPod> pods, Instant now) {
    Map<String, Instant> granted = new HashMap<>();
    for (WorkloadPod pod : pods) {
      String name = pod.key().name();
      Rfc3339Times.at(budget.status(), "disruptedPods", name)
          .filter(at -> !pod.terminating() && at.plus(EVICTION_LIMIT).isAfter(now))
          .ifPresent(at -> granted.put(name, at));
    }
    return granted;
  }
}
