package io.fairlead.controller.statefulset;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.IntOrPercent;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A StatefulSet. Immutable; the tree inside is shared.
///
/// @param start the first ordinal
/// @param ordered one pod after the other, each waited for
/// @param rolling whether a new version is rolled out, or waits until pods are deleted by hand
/// @param partition ordinals below it keep the version they have
/// @param maxUnavailable how many may be replaced at once
record StatefulSet(
    ApiObject object,
    LabelSelector selector,
    int replicas,
    int start,
    boolean ordered,
    boolean rolling,
    int partition,
    int maxUnavailable,
    Duration minReady)
    implements HasMetadata {
  static final ResourceType TYPE = ResourceType.STATEFUL_SETS;
  static final InformerKind<StatefulSet> KIND = InformerKind.of(TYPE, StatefulSet::of);

  static StatefulSet of(ObjectNode body) {
    JsonNode spec = body.path("spec");
    int replicas = spec.path("replicas").asInt(1);
    JsonNode how = Json.at(spec, "updateStrategy", "rollingUpdate");
    return new StatefulSet(
        ApiObject.of(body),
        LabelSelector.of(spec.get("selector") instanceof ObjectNode labels ? labels : null),
        replicas,
        spec.path("ordinals").path("start").asInt(0),
        !Json.textOr(spec, "", "podManagementPolicy").equals("Parallel"),
        !Json.textOr(spec, "", "updateStrategy", "type").equals("OnDelete"),
        how.path("partition").asInt(0),
        Math.max(1, IntOrPercent.of(how.path("maxUnavailable"), replicas, true, 1)),
        Duration.ofSeconds(spec.path("minReadySeconds").asLong(0)));
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

  /// The ordinal in a pod's name; -1 when the name is none of this set's.
  int ordinal(String pod) {
    String prefix = name() + "-";
    if (!pod.startsWith(prefix)) {
      return -1;
    }
    String number = pod.substring(prefix.length());
    boolean digits =
        !number.isEmpty() && number.length() < 10 && number.chars().allMatch(Character::isDigit);
    return digits ? Integer.parseInt(number) : -1;
  }

  boolean wants(int ordinal) {
    return ordinal >= start && ordinal < start + replicas;
  }
}
