package io.fairlead.controller.node;

import io.fairlead.api.json.Json;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.workload.Rfc3339Times;
import io.fairlead.controller.workload.StatusConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// When a node counts as lost, and what is then said in its status. The times that nodes write are
/// never compared with our clock: what counts is when we last saw one of them change.
final class NodeHealth {
  /// How long one may take to speak for the first time.
  static final Duration FIRST_GRACE = Duration.ofSeconds(60);

  /// What only the node itself can know.
  static final List<String> CONDITIONS =
      List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

  /// What was last seen of a node.
  ///
  /// @param signs of life, as the node wrote them
  /// @param at when they last changed, by our clock
  record Seen(String signs, long at) {}

  private NodeHealth() {}

  /// All that a node writes to show it is alive.
  static String signs(String lease, Node node) {
    return lease + "|" + node.heartbeat();
  }

  /// @param grace how long a node may be silent
  static boolean isLost(Node node, Seen seen, Duration grace, long now) {
    Duration allowed = node.conditions().containsKey("Ready") ? grace : FIRST_GRACE;
    return now - seen.at() > allowed.toNanos();
  }

  /// Sets all conditions that only the node could know to Unknown. Changes `node`; says whether
  /// anything changed.
  static boolean forget(ObjectNode node, Instant now) {
    ObjectNode status = Json.child(node, "status");
    boolean changed = false;
    for (String type : CONDITIONS) {
      JsonNode old = StatusConditions.find(status, type);
      if (old instanceof ObjectNode known) {
        if (!Json.textOr(known, "", "status").equals("Unknown")) {
          known
              .put("status", "Unknown")
              .put("reason", "NodeStatusUnknown")
              .put("message", "Kubelet stopped posting node status.")
              .put("lastTransitionTime", Rfc3339Times.text(now));
          changed = true;
        }
      } else {
        status
            .withArray("conditions")
            .addObject()
            .put("type", type)
            .put("status", "Unknown")
            .put(
                "lastHeartbeatTime",
                Json.textOr(node, Rfc3339Times.text(now), "metadata", "creationTimestamp"))
            .put("lastTransitionTime", Rfc3339Times.text(now))
            .put("reason", "NodeStatusNeverUpdated")
            .put("message", "Kubelet never posted node status.");
        changed = true;
      }
    }
    return changed;
  }
}
