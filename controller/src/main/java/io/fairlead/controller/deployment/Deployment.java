package io.fairlead.controller.deployment;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.IntOrPercent;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Deployment. Immutable; the tree inside is shared, copy before changing.
///
/// @param maxSurge how many pods there may be beyond its replicas during a roll-out
/// @param maxUnavailable how many of its replicas may be missing during one
record Deployment(
    ApiObject object,
    LabelSelector selector,
    int replicas,
    boolean rolling,
    boolean paused,
    int maxSurge,
    int maxUnavailable)
    implements HasMetadata {
  static final ResourceType TYPE = ResourceType.DEPLOYMENTS;
  static final InformerKind<Deployment> KIND = InformerKind.of(TYPE, Deployment::of);

  /// A deadline of this many seconds is none.
  private static final long NO_DEADLINE = Integer.MAX_VALUE;

  static Deployment of(ObjectNode body) {
    JsonNode spec = body.path("spec");
    int replicas = spec.path("replicas").asInt(1);
    boolean rolling =
        Json.textOr(spec, "RollingUpdate", "strategy", "type").equals("RollingUpdate");
    JsonNode how = Json.at(spec, "strategy", "rollingUpdate");
    int surge = 0;
    int unavailable = 0;
    if (rolling) {
      int quarterUp = Math.ceilDiv(replicas, 4);
      surge = IntOrPercent.of(how.path("maxSurge"), replicas, true, quarterUp);
      unavailable = IntOrPercent.of(how.path("maxUnavailable"), replicas, false, replicas / 4);
      if (surge == 0 && unavailable == 0) {
        unavailable = 1; // otherwise nothing could ever move
      }
    }
    return new Deployment(
        ApiObject.of(body),
        LabelSelector.of(spec.get("selector") instanceof ObjectNode labels ? labels : null),
        replicas,
        rolling,
        spec.path("paused").asBoolean(false),
        surge,
        Math.min(unavailable, replicas));
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  String name() {
    return metadata().name();
  }

  JsonNode spec() {
    return object.body().path("spec");
  }

  JsonNode status() {
    return object.body().path("status");
  }

  ObjectNode template() {
    return Json.child(Json.child(object.body().deepCopy(), "spec"), "template");
  }

  int minAvailable() {
    return rolling ? replicas - maxUnavailable : 0;
  }

  int historyLimit() {
    return spec().path("revisionHistoryLimit").asInt(Integer.MAX_VALUE);
  }

  int collisions() {
    return status().path("collisionCount").asInt(0);
  }

  /// How long a roll-out may stand still; empty for as long as it likes.
  Optional<Duration> progressDeadline() {
    JsonNode seconds = spec().path("progressDeadlineSeconds");
    return seconds.isNumber() && seconds.asLong(0) != NO_DEADLINE
        ? Optional.of(Duration.ofSeconds(seconds.asLong(0)))
        : Optional.empty();
  }
}
