package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.status.ContainerView;
import io.fairlead.agent.status.Phase;
import io.fairlead.agent.status.PodStatus;
import io.fairlead.agent.status.PodView;
import io.fairlead.agent.status.Waiting;
import io.fairlead.api.json.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Tells the API how a pod is, whenever that differs from what was told last. Owned by the pod's
/// worker.
final class StatusTeller {
  private final Surroundings surroundings;
  private final Sight sight;
  private final boolean overBefore;
  private @Nullable ObjectNode told;
  private @Nullable Waiting rejection;

  /// @param overBefore the pod had ended before this agent saw it
  StatusTeller(Surroundings surroundings, Sight sight, boolean overBefore) {
    this.surroundings = surroundings;
    this.sight = sight;
    this.overBefore = overBefore;
  }

  /// The status as it was told last.
  Optional<ObjectNode> told() {
    return Optional.ofNullable(told);
  }

  /// This node does not take the pod.
  void reject(Waiting why) {
    rejection = why;
  }

  /// @param over nothing of the pod runs, and nothing will
  void tell(Pod pod, boolean over) {
    if (overBefore) {
      // Told by an agent that saw it; this one knows less.
      return;
    }
    ObjectNode status = status(pod, over);
    if (!status.equals(told)) {
      told = status;
      surroundings.reports().status(pod, status);
    }
  }

  private ObjectNode status(Pod pod, boolean over) {
    PodView view = sight.view(pod);
    List<ContainerView> initial = sight.views(pod, pod.initContainers(), view, view::latest);
    List<ContainerView> regular = sight.views(pod, pod.containers(), view, view::latest);
    Phase phase = rejection != null ? Phase.FAILED : PodStatus.phase(pod, initial, regular, over);
    ObjectNode before = basis(pod);
    if (!over && phase.terminal()) {
      // Somebody may still run: the end is told when it is sure.
      phase =
          Json.textOr(before, "Pending", "phase").equals("Running") ? Phase.RUNNING : Phase.PENDING;
    }
    ObjectNode status =
        surroundings
            .statuses()
            .of(
                pod,
                phase,
                view.sandbox(),
                initial,
                regular,
                before,
                surroundings.clock().instant());
    if (rejection != null) {
      status.put("reason", rejection.reason()).put("message", rejection.message());
    }
    return status;
  }

  /// What was told, with the conditions of others as the API has them now.
  private ObjectNode basis(Pod pod) {
    JsonNode api = pod.status();
    if (told == null) {
      return api instanceof ObjectNode known ? known : Json.object();
    }
    ObjectNode basis = told.deepCopy();
    ObjectNode merged = Json.object();
    told.path("conditions").forEach(one -> merged.set(Json.textOr(one, "", "type"), one));
    for (JsonNode condition : api.path("conditions")) {
      String type = Json.textOr(condition, "", "type");
      if (!merged.has(type) || pod.readinessGates().contains(type)) {
        merged.set(type, condition);
      }
    }
    ArrayNode list = basis.putArray("conditions");
    merged.values().forEach(one -> list.add(one.deepCopy()));
    return basis;
  }
}
