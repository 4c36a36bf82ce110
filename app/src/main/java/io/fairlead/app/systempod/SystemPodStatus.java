package io.fairlead.app.systempod;

import io.fairlead.api.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The status of the pod that shows a component.
///
/// @param containerId names this run of the component
/// @param started when this run began
record SystemPodStatus(String containerId, Instant started) {
  private static final List<String> CONDITIONS =
      List.of(
          "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");

  /// The whole status.
  ///
  /// @param old the one the API has; a run it does not name is a restart
  ObjectNode status(SystemPod pod, SystemPod.Place place, JsonNode old, Instant now) {
    boolean ready = pod.ready().getAsBoolean();
    ObjectNode status = Json.object().put("phase", "Running");
    ArrayNode conditions = status.putArray("conditions");
    for (String type : CONDITIONS) {
      boolean holds = ready || !(type.equals("Ready") || type.equals("ContainersReady"));
      conditions.add(condition(type, holds, pod, old, now));
    }
    status.put("hostIP", place.addresses().getFirst());
    status.put("podIP", place.addresses().getFirst());
    ArrayNode hosts = status.putArray("hostIPs");
    ArrayNode pods = status.putArray("podIPs");
    for (String address : place.addresses()) {
      hosts.addObject().put("ip", address);
      pods.addObject().put("ip", address);
    }
    status.put("startTime", Json.textOr(old, text(started), "startTime"));
    JsonNode before = old.path("containerStatuses").path(0);
    String last = Json.textOr(before, containerId, "containerID");
    ObjectNode container = status.putArray("containerStatuses").addObject();
    container.put("name", pod.name());
    container.put("image", pod.image(place));
    container.put("imageID", "fairlead-builtin://" + pod.image(place));
    container.put("containerID", containerId);
    container.put("ready", ready).put("started", true);
    container.put(
        "restartCount", before.path("restartCount").asInt(0) + (last.equals(containerId) ? 0 : 1));
    container.putObject("state").putObject("running").put("startedAt", text(started));
    container.putObject("lastState");
    status.put("qosClass", "BestEffort");
    return status;
  }

  private static ObjectNode condition(
      String type, boolean holds, SystemPod pod, JsonNode old, Instant now) {
    String status = holds ? "True" : "False";
    String since = text(now);
    for (JsonNode each : old.path("conditions")) {
      if (Json.textOr(each, "", "type").equals(type)
          && Json.textOr(each, "", "status").equals(status)) {
        since = Json.textOr(each, since, "lastTransitionTime");
      }
    }
    ObjectNode condition = Json.object().put("type", type).put("status", status);
    condition.putNull("lastProbeTime").put("lastTransitionTime", since);
    if (!holds) {
      condition.put("reason", "ContainersNotReady");
      condition.put("message", "containers with unready status: [" + pod.name() + "]");
    }
    return condition;
  }

  /// Whether the API has all of it already.
  static boolean holds(JsonNode old, ObjectNode wanted) {
    for (Map.Entry<String, JsonNode> field : wanted.properties()) {
      if (!old.path(field.getKey()).equals(field.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static String text(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
