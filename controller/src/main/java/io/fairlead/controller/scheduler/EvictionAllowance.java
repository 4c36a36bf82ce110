package io.fairlead.controller.scheduler;

import io.fairlead.api.selector.LabelSelector;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// What a PodDisruptionBudget says to the scheduler: how many of its pods may go now. Immutable.
///
/// @param granted names of pods that the budget has let go already
record EvictionAllowance(
    ObjectMeta metadata, LabelSelector selector, int allowed, Set<String> granted)
    implements HasMetadata {
  static final InformerKind<EvictionAllowance> KIND =
      InformerKind.of(ResourceType.POD_DISRUPTION_BUDGETS, EvictionAllowance::of);

  static EvictionAllowance of(ObjectNode body) {
    return new EvictionAllowance(
        ObjectMeta.of(body),
        LabelSelector.of(
            body.path("spec").get("selector") instanceof ObjectNode given ? given : null),
        body.path("status").path("disruptionsAllowed").asInt(0),
        Set.copyOf(body.path("status").path("disruptedPods").propertyNames()));
  }

  /// Whether the budget counts when that pod goes. A pod without labels belongs to no budget.
  boolean covers(PodInfo pod) {
    return pod.namespace().equals(metadata.namespace())
        && !pod.labels().isEmpty()
        && selector.matches(pod.labels())
        && !granted.contains(pod.key().name());
  }
}
