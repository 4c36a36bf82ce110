package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Says in a pod's status that a component other than its owner is about to end it.
public final class Disruption {
  private static final String TYPE = "DisruptionTarget";

  private Disruption() {}

  /// Sets the condition, and the phase `Failed` where asked. Nothing when the pod is gone; says
  /// whether it is still there.
  public static boolean mark(
      Client client, WorkloadPod pod, String reason, String message, boolean failed, Instant now) {
    Optional<ObjectNode> live = client.find(ResourceType.PODS, pod.key());
    if (live.isEmpty() || !ObjectMeta.of(live.get()).uid().equals(pod.uid())) {
      return false;
    }
    ObjectNode status = Json.child(live.get(), "status");
    boolean changed = StatusConditions.set(status, TYPE, "True", reason, message, false, now);
    if (failed && !pod.finished()) {
      status.put("phase", "Failed");
      changed = true;
    }
    if (!changed) {
      return true;
    }
    try {
      client.update(ResourceType.PODS, "status", live.get());
      return true;
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return false;
      }
      throw e;
    }
  }
}
