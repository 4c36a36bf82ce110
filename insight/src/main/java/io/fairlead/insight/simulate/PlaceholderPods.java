package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Pods that do not exist yet: what a workload would make. Each is ready and has an address that no
/// pod can have, of 240.0.0.0/4 or 100::/64, until a node would give it one.
final class PlaceholderPods {
  /// The start of every IPv4 address of such a pod.
  private static final String IPV4 = "240.0.";

  private static final String IPV6 = "100::";
  private static final int OCTET = 256;

  private PlaceholderPods() {}

  /// Whether an address stands for one that is not given yet.
  static boolean isPlaceholder(String address) {
    return address.startsWith(IPV4) || address.startsWith(IPV6);
  }

  /// One more pod of a workload, on the node that has the fewest.
  ///
  /// @param owner the object that would own the pod
  /// @param template `spec.template` of the workload
  static ClusterObjects add(
      ClusterObjects objects, String workload, ObjectNode owner, JsonNode template, Instant now) {
    String namespace = ObjectKey.of(owner).namespace();
    int number = 1;
    while (objects.find("Pod", new ObjectKey(namespace, name(workload, number))).isPresent()) {
      number++;
    }
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata");
    metadata.put("name", name(workload, number)).put("namespace", namespace);
    metadata.put("uid", "new-" + workload + "-" + number).put("creationTimestamp", now.toString());
    metadata.set("labels", template.path("metadata").path("labels").deepCopy());
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "apps/v1")
        .put("kind", Json.textOr(owner, "", "kind"))
        .put("name", ObjectKey.of(owner).name())
        .put("uid", Json.textOr(owner, "", "metadata", "uid"))
        .put("controller", true);
    pod.set("spec", template.path("spec").deepCopy());
    start(objects, pod, now);
    return objects.with(pod);
  }

  /// Gives a pod a node and lets it run there, ready; without a node it waits for one.
  static void start(ClusterObjects objects, ObjectNode pod, Instant now) {
    ObjectNode spec = Json.child(pod, "spec");
    if (Json.textOr(spec, "", "nodeName").isEmpty()) {
      emptiest(objects).ifPresent(name -> spec.put("nodeName", name));
    }
    ObjectNode status = pod.putObject("status");
    if (Json.textOr(spec, "", "nodeName").isEmpty()) {
      status.put("phase", "Pending");
    } else {
      running(status, objects, pod, now);
    }
  }

  private static String name(String workload, int number) {
    return workload + "-new-" + number;
  }

  private static void running(
      ObjectNode status, ClusterObjects objects, ObjectNode pod, Instant now) {
    status.put("phase", "Running");
    int taken =
        (int)
            objects.all("Pod").stream()
                .filter(each -> isPlaceholder(Json.textOr(each, "", "status", "podIP")))
                .count();
    ArrayNode addresses = status.putArray("podIPs");
    boolean ipv6 = hasFamily(objects, true);
    if (hasFamily(objects, false) || !ipv6) {
      addresses.addObject().put("ip", IPV4 + (taken + 1) / OCTET + "." + (taken + 1) % OCTET);
    }
    if (ipv6) {
      addresses.addObject().put("ip", IPV6 + Integer.toHexString(taken + 1));
    }
    status.put("podIP", addresses.path(0).path("ip").asString(""));
    status
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True")
        .put("lastTransitionTime", now.toString());
    ArrayNode containers = status.putArray("containerStatuses");
    for (JsonNode container : pod.path("spec").path("containers")) {
      containers
          .addObject()
          .put("name", Json.textOr(container, "", "name"))
          .put("ready", true)
          .put("started", true)
          .put("restartCount", 0)
          .putObject("state")
          .putObject("running")
          .put("startedAt", now.toString());
    }
  }

  private static boolean hasFamily(ClusterObjects objects, boolean ipv6) {
    for (ObjectNode pod : objects.all("Pod")) {
      for (JsonNode address : pod.path("status").path("podIPs")) {
        if (Json.textOr(address, "", "ip").contains(":") == ipv6) {
          return true;
        }
      }
    }
    return false;
  }

  /// Of the nodes that are ready and take pods.
  private static Optional<String> emptiest(ClusterObjects objects) {
    Map<String, Integer> pods = new LinkedHashMap<>();
    for (ObjectNode node : objects.all("Node")) {
      if (isReady(node) && !node.path("spec").path("unschedulable").asBoolean(false)) {
        pods.put(ObjectKey.of(node).name(), 0);
      }
    }
    for (ObjectNode pod : objects.all("Pod")) {
      pods.computeIfPresent(Json.textOr(pod, "", "spec", "nodeName"), (_, count) -> count + 1);
    }
    return pods.entrySet().stream()
        .min(
            Comparator.<Map.Entry<String, Integer>>comparingInt(Map.Entry::getValue)
                .thenComparing(Map.Entry::getKey))
        .map(Map.Entry::getKey);
  }

  static boolean isReady(ObjectNode object) {
    for (JsonNode condition : object.path("status").path("conditions")) {
      if (Json.textOr(condition, "", "type").equals("Ready")) {
        return Json.textOr(condition, "", "status").equals("True");
      }
    }
    return false;
  }

  /// Whether an object is owned by another one.
  static boolean isOwned(ObjectNode object, String kind, ObjectNode owner) {
    String uid = Json.textOr(owner, "", "metadata", "uid");
    List<OwnerReference> owners = ObjectMeta.of(object).ownerReferences();
    return owners.stream()
        .anyMatch(
            each ->
                each.kind().equals(kind)
                    && each.name().equals(ObjectKey.of(owner).name())
                    && (uid.isEmpty() || each.uid().equals(uid)));
  }
}
