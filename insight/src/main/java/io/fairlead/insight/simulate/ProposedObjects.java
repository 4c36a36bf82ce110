package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Objects of a file as the API server would store them: what it gave to an older object of the
/// name stays, and what it would give to a new one is a placeholder.
final class ProposedObjects {
  private static final List<String> GIVEN =
      List.of("uid", "resourceVersion", "creationTimestamp", "generation");
  private static final List<String> ALLOCATED =
      List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "healthCheckNodePort");

  private ProposedObjects() {}

  /// A new object with what only the server gives from the old one.
  static ObjectNode over(ObjectNode old, ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    ObjectNode metadata = Json.child(copy, "metadata");
    for (String field : GIVEN) {
      if (old.path("metadata").has(field)) {
        metadata.set(field, old.path("metadata").get(field));
      }
    }
    if (old.has("status")) {
      copy.set("status", old.get("status"));
    }
    return copy;
  }

  static ObjectNode service(ClusterObjects objects, ObjectNode object, Optional<ObjectNode> old) {
    ObjectNode service = old.map(each -> over(each, object)).orElseGet(object::deepCopy);
    ObjectNode spec = Json.child(service, "spec");
    if (Json.textOr(spec, "", "type").equals("ExternalName")) {
      return service;
    }
    old.ifPresent(each -> keepAllocated(each.path("spec"), spec));
    if (Json.textOr(spec, "", "clusterIP").isEmpty()) {
      int number = objects.all("Service").size() + 1;
      String address = "240.1." + number / 256 + "." + number % 256;
      spec.put("clusterIP", address).putArray("clusterIPs").add(address);
      spec.putArray("ipFamilies").add("IPv4");
    }
    if (Json.textOr(service, "", "metadata", "uid").isEmpty()) {
      Json.child(service, "metadata").put("uid", "new-" + ObjectKey.of(service).name());
    }
    return service;
  }

  private static void keepAllocated(JsonNode old, ObjectNode spec) {
    for (String field : ALLOCATED) {
      if (!spec.has(field) && old.has(field)) {
        spec.set(field, old.get(field));
      }
    }
    boolean wantsNodePorts =
        List.of("NodePort", "LoadBalancer").contains(Json.textOr(spec, "", "type"));
    for (JsonNode port : spec.path("ports")) {
      if (wantsNodePorts && port instanceof ObjectNode one && !one.has("nodePort")) {
        for (JsonNode before : old.path("ports")) {
          if (before.path("port").asInt(0) == one.path("port").asInt(0) && before.has("nodePort")) {
            one.set("nodePort", before.get("nodePort"));
          }
        }
      }
    }
  }

  static ClusterObjects pod(
      ClusterObjects objects, ObjectNode object, Optional<ObjectNode> old, Instant now) {
    if (old.isPresent()) {
      ObjectNode pod = over(old.get(), object);
      pod.set("spec", old.get().path("spec"));
      return objects.with(pod);
    }
    ObjectNode pod = object.deepCopy();
    PlaceholderPods.start(objects, pod, now);
    return objects.with(pod);
  }

  /// Whether two workloads have pods that no Service could tell apart: the same labels and ports.
  static boolean samePods(ObjectNode one, ObjectNode other) {
    return labels(one).equals(labels(other)) && ports(one).equals(ports(other));
  }

  private static JsonNode labels(ObjectNode workload) {
    return workload.path("spec").path("template").path("metadata").path("labels");
  }

  private static List<String> ports(ObjectNode workload) {
    List<String> ports = new ArrayList<>();
    for (JsonNode container :
        workload.path("spec").path("template").path("spec").path("containers")) {
      if (container.path("ports") instanceof ArrayNode declared) {
        declared.forEach(
            port ->
                ports.add(
                    Json.textOr(port, "", "name")
                        + " "
                        + port.path("containerPort").asInt(0)
                        + " "
                        + Json.textOr(port, "TCP", "protocol")));
      }
    }
    return ports;
  }
}
