package io.fairlead.controller.daemonset;

import io.fairlead.api.json.Json;
import io.fairlead.controller.placement.Taint;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.PodControl;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The pod of a DaemonSet for one node. It names the node in its affinity, so that the scheduler
/// puts it there and nowhere else; and it puts up with what drives other pods away.
final class DaemonPod {
  private static final List<Taint> TOLERATED =
      List.of(
          new Taint(Taint.NOT_READY, "", Taint.NO_EXECUTE),
          new Taint(Taint.UNREACHABLE, "", Taint.NO_EXECUTE),
          new Taint(Taint.DISK_PRESSURE, "", Taint.NO_SCHEDULE),
          new Taint(Taint.MEMORY_PRESSURE, "", Taint.NO_SCHEDULE),
          new Taint(Taint.PID_PRESSURE, "", Taint.NO_SCHEDULE),
          new Taint(Taint.UNSCHEDULABLE, "", Taint.NO_SCHEDULE));

  private DaemonPod() {}

  static ObjectNode of(DaemonSet set, String node, ControllerRevision revision) {
    ObjectNode pod =
        PodControl.fromTemplate(revision.template(), DaemonSet.TYPE, set.metadata(), "");
    Json.child(Json.child(pod, "metadata"), "labels")
        .put(ControllerRevision.POD_LABEL, revision.hash());
    ObjectNode spec = Json.child(pod, "spec");
    spec.set("tolerations", tolerations(spec));
    ObjectNode required =
        Json.child(Json.child(spec, "affinity"), "nodeAffinity")
            .putObject("requiredDuringSchedulingIgnoredDuringExecution");
    ObjectNode field =
        required
            .putArray("nodeSelectorTerms")
            .addObject()
            .putArray("matchFields")
            .addObject()
            .put("key", "metadata.name")
            .put("operator", "In");
    field.putArray("values").add(node);
    return pod;
  }

  /// Those of a template's spec and those every daemon has.
  static ArrayNode tolerations(JsonNode spec) {
    ArrayNode all = Json.array();
    spec.path("tolerations").forEach(all::add);
    for (Taint taint : TOLERATED) {
      tolerate(all, taint);
    }
    if (spec.path("hostNetwork").asBoolean(false)) {
      tolerate(all, new Taint(Taint.NETWORK_UNAVAILABLE, "", Taint.NO_SCHEDULE));
    }
    return all;
  }

  /// Adds a toleration, in the place of one for the same taint with a limit of time.
  private static void tolerate(ArrayNode all, Taint taint) {
    ObjectNode toleration =
        Json.object()
            .put("key", taint.key())
            .put("operator", "Exists")
            .put("effect", taint.effect());
    for (int i = 0; i < all.size(); i++) {
      JsonNode one = all.get(i);
      if (Json.textOr(one, "", "key").equals(taint.key())
          && Json.textOr(one, "", "effect").equals(taint.effect())) {
        all.set(i, toleration);
        return;
      }
    }
    all.add(toleration);
  }
}
