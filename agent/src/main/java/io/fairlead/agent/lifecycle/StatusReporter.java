package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.status.ContainerStateWaiting;
import io.fairlead.agent.status.ContainerView;
import io.fairlead.agent.status.PodPhase;
import io.fairlead.agent.status.PodStatusGenerator;
import io.fairlead.agent.status.PodView;
import io.fairlead.api.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reports the status of a pod to the API whenever it differs from the one reported last. Owned by
/// the pod's worker.
final class StatusReporter {
  private final PodWorkerDependencies dependencies;
  private final PodObservation sight;
  private final boolean overBefore;
  private @Nullable ObjectNode lastReported;
  private @Nullable ContainerStateWaiting failure;

  /// @param overBefore the pod had ended before this agent saw it
  StatusReporter(PodWorkerDependencies dependencies, PodObservation sight, boolean overBefore) {
    this.dependencies = dependencies;
    this.sight = sight;
    this.overBefore = overBefore;
  }

  /// The status reported last.
  Optional<ObjectNode> lastReported() {
    return Optional.ofNullable(lastReported);
  }

  /// The pod fails, whatever becomes of its containers.
  void fail(ContainerStateWaiting why) {
    failure = why;
  }

  /// Since when the pod is active on this node, as reported.
  Instant startTime(Pod pod) {
    String reported = Json.textOr(basis(pod), "", "startTime");
    return reported.isEmpty() ? dependencies.clock().instant() : Instant.parse(reported);
  }

  /// @param over nothing of the pod runs, and nothing will
  void report(Pod pod, boolean over) {
    if (overBefore) {
      // Told by an agent that saw it; this one knows less.
      return;
    }
    ObjectNode status = status(pod, over);
    if (!status.equals(lastReported)) {
      lastReported = status;
      dependencies.reports().status(pod, status);
    }
  }

  private ObjectNode status(Pod pod, boolean over) {
    PodView view = sight.view(pod);
    List<ContainerView> initial = sight.views(pod, pod.initContainers(), view, view::latest);
    List<ContainerView> regular = sight.views(pod, pod.containers(), view, view::latest);
    PodPhase phase =
        failure != null ? PodPhase.FAILED : PodStatusGenerator.phase(pod, initial, regular, over);
    ObjectNode before = basis(pod);
    if (!over && phase.terminal()) {
      // A container may still run: the end is reported when it is certain.
      phase =
          Json.textOr(before, "Pending", "phase").equals("Running")
              ? PodPhase.RUNNING
              : PodPhase.PENDING;
    }
    ObjectNode status =
        dependencies
            .statuses()
            .of(
                pod,
                phase,
                view.sandbox(),
                initial,
                regular,
                sight.views(pod, pod.ephemeralContainers(), view, view::latest),
                before,
                dependencies.clock().instant());
    if (failure != null) {
      status.put("reason", failure.reason()).put("message", failure.message());
    }
    return status;
  }

  /// The status reported last, with the conditions of others as the API has them now.
  private ObjectNode basis(Pod pod) {
    JsonNode api = pod.status();
    if (lastReported == null) {
      return api instanceof ObjectNode known ? known : Json.object();
    }
    ObjectNode basis = lastReported.deepCopy();
    ObjectNode merged = Json.object();
    lastReported.path("conditions").forEach(one -> merged.set(Json.textOr(one, "", "type"), one));
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
