package io.fairlead.controller.disruption;

import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.WorkloadPod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A PodDisruptionBudget. Immutable; the tree inside is shared.
record DisruptionBudget(ApiObject object, LabelSelector selector) implements HasMetadata {
  static final ResourceType TYPE = ResourceType.POD_DISRUPTION_BUDGETS;
  static final InformerKind<DisruptionBudget> KIND = InformerKind.of(TYPE, DisruptionBudget::of);

  static DisruptionBudget of(ObjectNode body) {
    return new DisruptionBudget(
        ApiObject.of(body),
        LabelSelector.of(
            body.path("spec").get("selector") instanceof ObjectNode given ? given : null));
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  JsonNode spec() {
    return object.body().path("spec");
  }

  JsonNode status() {
    return object.body().path("status");
  }

  boolean covers(WorkloadPod pod) {
    return pod.key().namespace().equals(metadata().namespace())
        && selector.matches(pod.metadata().labels());
  }

  /// Whether it depends on how many pods their owners ask for, and not only on what is there.
  boolean needsScale() {
    return spec().has("maxUnavailable") || spec().path("minAvailable").isString();
  }
}
