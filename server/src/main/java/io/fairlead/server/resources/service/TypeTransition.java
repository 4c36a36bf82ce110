package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A Service that changes its type loses what belonged to the old one, unless the client changed it
/// in the same write: then the client means it, and validation has its say.
final class TypeTransition {
  private TypeTransition() {}

  /// Fills in allocated values that the client left out. Comes before allocation.
  static void keepAllocated(ObjectNode service, ObjectNode old) {
    ObjectNode now = Json.child(service, "spec");
    JsonNode before = old.path("spec");
    if (ServiceSpec.needsClusterIp(before) && ServiceSpec.needsClusterIp(now)) {
      if (now.path("clusterIP").asString("").isEmpty() && before.has("clusterIP")) {
        now.set("clusterIP", before.path("clusterIP"));
      }
      if (now.path("clusterIPs").isEmpty()
          && now.path("clusterIP").equals(before.path("clusterIP"))
          && before.has("clusterIPs")) {
        now.set("clusterIPs", before.path("clusterIPs").deepCopy());
      }
    }
    if (ServiceSpec.needsNodePorts(before) && ServiceSpec.needsNodePorts(now)) {
      keepNodePorts(now, before);
    }
    if (ServiceSpec.needsHealthCheckPort(before)
        && ServiceSpec.needsHealthCheckPort(now)
        && now.path("healthCheckNodePort").asInt(0) == 0
        && before.has("healthCheckNodePort")) {
      now.set("healthCheckNodePort", before.path("healthCheckNodePort"));
    }
  }

  /// Drops what the new type does not have. Comes after allocation.
  static void dropObsolete(ObjectNode service, ObjectNode old) {
    ObjectNode now = Json.child(service, "spec");
    JsonNode before = old.path("spec");
    if (ServiceSpec.needsNodePorts(before) && !ServiceSpec.needsNodePorts(now)) {
      dropNodePorts(now, before);
    }
    if (ServiceSpec.needsClusterIp(before) && !ServiceSpec.needsClusterIp(now)) {
      if (now.path("clusterIPs").equals(before.path("clusterIPs"))) {
        now.remove(List.of("clusterIP", "clusterIPs"));
      }
      dropIfSame(now, before, "ipFamilies");
      dropIfSame(now, before, "ipFamilyPolicy");
      dropIfSame(now, before, "internalTrafficPolicy");
    }
    if (ServiceSpec.needsHealthCheckPort(before) && !ServiceSpec.needsHealthCheckPort(now)) {
      dropIfSame(now, before, "healthCheckNodePort");
    }
    if (ServiceSpec.isLoadBalancer(before) && !ServiceSpec.isLoadBalancer(now)) {
      dropIfSame(now, before, "allocateLoadBalancerNodePorts");
      dropIfSame(now, before, "loadBalancerClass");
      Json.child(service, "status").putObject("loadBalancer");
    }
    if (ServiceSpec.isExternallyAccessible(before) && !ServiceSpec.isExternallyAccessible(now)) {
      dropIfSame(now, before, "externalTrafficPolicy");
    }
  }

  private static void keepNodePorts(ObjectNode now, JsonNode before) {
    var used = ServiceSpec.nodePorts(now);
    for (JsonNode port : now.path("ports")) {
      if (port.path("nodePort").asInt(0) != 0 || !(port instanceof ObjectNode one)) {
        continue;
      }
      for (JsonNode other : before.path("ports")) {
        int known = other.path("nodePort").asInt(0);
        boolean sameName = other.path("name").asString("").equals(port.path("name").asString(""));
        if (sameName && known != 0 && used.add(known)) {
          one.put("nodePort", known);
          break;
        }
      }
    }
  }

  private static void dropNodePorts(ObjectNode now, JsonNode before) {
    if (ServiceSpec.nodePorts(before).containsAll(ServiceSpec.nodePorts(now))) {
      for (JsonNode port : now.path("ports")) {
        if (port instanceof ObjectNode one) {
          one.remove("nodePort");
        }
      }
    }
  }

  private static void dropIfSame(ObjectNode now, JsonNode before, String field) {
    if (now.path(field).equals(before.path(field))) {
      now.remove(field);
    }
  }
}
