package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/// Says in a pod's status that a component other than its owner is about to end it. By a patch:
/// some of those components may do no more.
public final class Disruption {
  private static final String TYPE = "DisruptionTarget";

  private Disruption() {}

  /// Sets the condition, and the phase `Failed` where asked. Nothing when the pod is gone; says
  /// whether it is still there.
  public static boolean mark(
      Client client, WorkloadPod pod, String reason, String message, boolean failed, Instant now) {
    boolean ends = failed && !pod.finished();
    return mark(client, pod.metadata(), reason, message, ends, now);
  }

  /// The same for a pod of which only its metadata is known.
  public static boolean mark(
      Client client, ObjectMeta pod, String reason, String message, boolean failed, Instant now) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", pod.uid());
    ObjectNode status = patch.putObject("status");
    StatusConditions.set(status, TYPE, "True", reason, message, false, now);
    if (failed) {
      status.put("phase", "Failed");
    }
    try {
      client.patch(ResourceType.PODS, pod.key(), "status", PatchType.STRATEGIC, patch);
      return true;
    } catch (ApiException e) {
      // A conflict is about the uid: another pod has its name.
      if (ApiErrors.isNotFound(e) || ApiErrors.isConflict(e)) {
        return false;
      }
      throw e;
    }
  }
}
