package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Job. Immutable; the tree inside is shared.
///
/// @param completions how many pods must succeed; empty when the first success ends the work
/// @param restarts whether nodes restart failed containers themselves
/// @param replacesFailed whether a pod on its way out is replaced only when it has ended
/// @param limitPerIndex how often each index may fail; empty where all count together
/// @param maxFailedIndexes more failed indexes than that end it
record Job(
    ApiObject object,
    LabelSelector selector,
    int parallelism,
    OptionalInt completions,
    int backoffLimit,
    boolean indexed,
    boolean suspended,
    boolean restarts,
    boolean replacesFailed,
    FailurePolicy failurePolicy,
    SuccessPolicy successPolicy,
    OptionalInt limitPerIndex,
    OptionalInt maxFailedIndexes,
    Optional<Duration> deadline,
    Optional<Duration> timeToLive,
    Optional<Instant> started)
    implements HasMetadata {
  static final ResourceType TYPE = ResourceType.JOBS;
  static final InformerKind<Job> KIND = InformerKind.of(TYPE, Job::of);
  static final String COMPLETE = "Complete";
  static final String FAILED = "Failed";
  static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";
  private static final String MANAGER = "kubernetes.io/job-controller";
  static final String FAILURE_TARGET = "FailureTarget";

  static Job of(ObjectNode body) {
    JsonNode spec = body.path("spec");
    return new Job(
        ApiObject.of(body),
        LabelSelector.of(spec.get("selector") instanceof ObjectNode labels ? labels : null),
        spec.path("parallelism").asInt(1),
        number(spec.path("completions")),
        spec.path("backoffLimit").asInt(6),
        Json.textOr(spec, "", "completionMode").equals("Indexed"),
        spec.path("suspend").asBoolean(false),
        Json.textOr(spec, "", "template", "spec", "restartPolicy").equals("OnFailure"),
        Json.textOr(spec, "", "podReplacementPolicy").equals("Failed")
            || spec.path("podFailurePolicy").isObject(),
        FailurePolicy.of(spec.path("podFailurePolicy")),
        SuccessPolicy.of(spec.path("successPolicy")),
        number(spec.path("backoffLimitPerIndex")),
        number(spec.path("maxFailedIndexes")),
        seconds(spec.path("activeDeadlineSeconds")),
        seconds(spec.path("ttlSecondsAfterFinished")),
        Rfc3339Times.at(body, "status", "startTime"));
  }

  private static OptionalInt number(JsonNode value) {
    return value.isNumber() ? OptionalInt.of(value.asInt(0)) : OptionalInt.empty();
  }

  private static Optional<Duration> seconds(JsonNode number) {
    return number.isNumber() ? Optional.of(Duration.ofSeconds(number.asLong(0))) : Optional.empty();
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  String name() {
    return metadata().name();
  }

  JsonNode status() {
    return object.body().path("status");
  }

  /// Whether another controller runs it.
  boolean managedElsewhere() {
    String manager = Json.textOr(object.body(), "", "spec", "managedBy");
    return !manager.isEmpty() && !manager.equals(MANAGER);
  }

  /// Whether it is decided how it ends; its pods may still have to go.
  boolean hasVerdict() {
    return StatusConditions.isTrue(status(), FAILURE_TARGET)
        || StatusConditions.isTrue(status(), SUCCESS_CRITERIA_MET);
  }

  boolean finished() {
    return StatusConditions.isTrue(status(), COMPLETE) || StatusConditions.isTrue(status(), FAILED);
  }

  /// When it finished.
  Optional<Instant> finishedAt() {
    for (String type : new String[] {COMPLETE, FAILED}) {
      if (StatusConditions.isTrue(status(), type)) {
        return Rfc3339Times.at(StatusConditions.find(status(), type), "lastTransitionTime");
      }
    }
    return Optional.empty();
  }

  /// How many pods are still to succeed.
  int remaining(int succeeded) {
    return completions.isPresent()
        ? Math.max(0, completions.getAsInt() - succeeded)
        : succeeded > 0 ? 0 : parallelism;
  }
}
