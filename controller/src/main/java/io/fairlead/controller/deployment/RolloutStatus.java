package io.fairlead.controller.deployment;

import io.fairlead.api.json.Json;
import io.fairlead.controller.replicaset.ReplicaSet;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.StatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The status of a Deployment and its roll-out: counts and the conditions Available, Progressing
/// and ReplicaFailure. `kubectl rollout status` reads nothing else.
final class RolloutStatus {
  static final String PROGRESSING = "Progressing";
  static final String TIMED_OUT = "ProgressDeadlineExceeded";
  static final String NEW_AVAILABLE = "NewReplicaSetAvailable";
  static final String PAUSED = "DeploymentPaused";
  private static final String AVAILABLE = "Available";
  private static final String FAILURE = "ReplicaFailure";

  private RolloutStatus() {}

  /// The counts and Available; the other conditions as they are.
  static ObjectNode counts(
      Deployment deployment, List<ReplicaSet> old, Optional<ReplicaSet> newest, Instant now) {
    List<ReplicaSet> all = new ArrayList<>(old);
    newest.ifPresent(all::add);
    int replicas = all.stream().mapToInt(ReplicaSet::statusReplicas).sum();
    int available = ReplicaSetSizes.available(all);
    ObjectNode status = StatusWriter.copy(deployment.object());
    status.put("observedGeneration", deployment.metadata().generation());
    StatusWriter.count(status, "replicas", replicas);
    StatusWriter.count(status, "updatedReplicas", newest.map(ReplicaSet::statusReplicas).orElse(0));
    StatusWriter.count(
        status, "readyReplicas", all.stream().mapToInt(ReplicaSet::readyReplicas).sum());
    StatusWriter.count(status, "availableReplicas", available);
    StatusWriter.count(status, "unavailableReplicas", Math.max(0, replicas - available));
    status.put("terminatingReplicas", all.stream().mapToInt(ReplicaSet::terminatingReplicas).sum());
    boolean enough = available >= deployment.replicas() - deployment.maxUnavailable();
    StatusConditions.set(
        status,
        AVAILABLE,
        enough ? "True" : "False",
        enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
        enough
            ? "Deployment has minimum availability."
            : "Deployment does not have minimum availability.",
        true,
        now);
    return status;
  }

  /// Counts and all conditions of a roll-out.
  static ObjectNode rollout(
      Deployment deployment, List<ReplicaSet> old, Optional<ReplicaSet> newest, Instant now) {
    ObjectNode status = counts(deployment, old, newest, now);
    if (deployment.progressDeadline().isEmpty()) {
      StatusConditions.remove(status, PROGRESSING);
    } else {
      progress(status, deployment, newest, now);
    }
    failure(status, old, newest, now);
    return status;
  }

  private static void progress(
      ObjectNode status, Deployment deployment, Optional<ReplicaSet> newest, Instant now) {
    JsonNode condition = StatusConditions.find(deployment.status(), PROGRESSING);
    String reason = Json.textOr(condition, "", "reason");
    boolean over =
        count(status, "replicas") == count(status, "updatedReplicas")
            && reason.equals(NEW_AVAILABLE);
    if (over) {
      return;
    }
    String who =
        newest
            .map(set -> "ReplicaSet \"" + set.name() + "\"")
            .orElse("Deployment \"" + deployment.name() + "\"");
    if (complete(deployment, status)) {
      set(status, "True", NEW_AVAILABLE, who + " has successfully progressed.", now);
    } else if (moved(deployment.status(), status)) {
      String transition = Json.textOr(condition, "", "lastTransitionTime");
      boolean wasTrue = Json.textOr(condition, "", "status").equals("True");
      StatusConditions.remove(status, PROGRESSING);
      set(status, "True", "ReplicaSetUpdated", who + " is progressing.", now);
      if (wasTrue && StatusConditions.find(status, PROGRESSING) instanceof ObjectNode fresh) {
        fresh.put("lastTransitionTime", transition);
      }
    } else if (timedOut(deployment, status, now)) {
      set(status, "False", TIMED_OUT, who + " has timed out progressing.", now);
    }
  }

  static void set(ObjectNode status, String value, String reason, String message, Instant now) {
    StatusConditions.set(status, PROGRESSING, value, reason, message, true, now);
  }

  /// Whether everything is as it shall be.
  static boolean complete(Deployment deployment, JsonNode status) {
    int wanted = deployment.replicas();
    return count(status, "updatedReplicas") == wanted
        && count(status, "replicas") == wanted
        && count(status, "availableReplicas") == wanted
        && status.path("observedGeneration").asLong(0) >= deployment.metadata().generation();
  }

  private static boolean moved(JsonNode before, JsonNode after) {
    return count(after, "updatedReplicas") > count(before, "updatedReplicas")
        || outdated(after) < outdated(before)
        || count(after, "readyReplicas") > count(before, "readyReplicas")
        || count(after, "availableReplicas") > count(before, "availableReplicas");
  }

  private static int outdated(JsonNode status) {
    return count(status, "replicas") - count(status, "updatedReplicas");
  }

  private static boolean timedOut(Deployment deployment, JsonNode status, Instant now) {
    JsonNode condition = StatusConditions.find(status, PROGRESSING);
    return switch (Json.textOr(condition, "", "reason")) {
      case "", NEW_AVAILABLE -> false;
      case TIMED_OUT -> true;
      default -> deadline(deployment, condition).filter(at -> at.isBefore(now)).isPresent();
    };
  }

  private static Optional<Instant> deadline(Deployment deployment, JsonNode condition) {
    return Rfc3339Times.at(condition, "lastUpdateTime")
        .flatMap(from -> deployment.progressDeadline().map(from::plus));
  }

  /// When to look again whether it has timed out; empty when it cannot.
  static Optional<Duration> untilDeadline(Deployment deployment, JsonNode status, Instant now) {
    JsonNode condition = StatusConditions.find(status, PROGRESSING);
    if (condition.isMissingNode()
        || complete(deployment, status)
        || Json.textOr(condition, "", "reason").equals(TIMED_OUT)) {
      return Optional.empty();
    }
    return deadline(deployment, condition)
        .map(at -> Duration.between(now, at.plusSeconds(1)))
        .map(wait -> wait.isNegative() ? Duration.ofSeconds(1) : wait);
  }

  /// What keeps pods from being made, as the newest ReplicaSet says, or else an older one.
  private static void failure(
      ObjectNode status, List<ReplicaSet> old, Optional<ReplicaSet> newest, Instant now) {
    List<ReplicaSet> all = new ArrayList<>();
    newest.ifPresent(all::add);
    all.addAll(old);
    for (ReplicaSet set : all) {
      JsonNode told = StatusConditions.find(set.object().body().path("status"), FAILURE);
      if (told.isObject()) {
        StatusConditions.set(
            status,
            FAILURE,
            Json.textOr(told, "True", "status"),
            Json.textOr(told, "", "reason"),
            Json.textOr(told, "", "message"),
            true,
            now);
        return;
      }
    }
    StatusConditions.remove(status, FAILURE);
  }

  private static int count(JsonNode status, String key) {
    return status.path(key).asInt(0);
  }
}
