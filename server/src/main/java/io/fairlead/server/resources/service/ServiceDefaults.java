package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.kind.Defaults;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills in what needs no look at the cluster.
final class ServiceDefaults {
  private static final int AFFINITY_SECONDS = 10_800;

  private ServiceDefaults() {}

  static void apply(ObjectNode service) {
    ObjectNode spec = Json.child(service, "spec");
    Defaults.text(spec, "type", "ClusterIP");
    applyToAffinity(spec);
    for (JsonNode port : spec.path("ports")) {
      if (port instanceof ObjectNode one) {
        applyToPort(one);
      }
    }
    if (ServiceSpec.isExternalName(spec)) {
      spec.remove("internalTrafficPolicy");
    } else {
      Defaults.missingText(spec, "internalTrafficPolicy", "Cluster");
    }
    if (ServiceSpec.isExternallyAccessible(spec)) {
      Defaults.text(spec, "externalTrafficPolicy", "Cluster");
    }
    if (ServiceSpec.isLoadBalancer(spec)) {
      Defaults.missingFlag(spec, "allocateLoadBalancerNodePorts", true);
    }
    applyToStatus(service);
  }

  private static void applyToAffinity(ObjectNode spec) {
    Defaults.text(spec, "sessionAffinity", "None");
    String affinity = spec.path("sessionAffinity").asString("");
    if (affinity.equals("None")) {
      spec.remove("sessionAffinityConfig");
    } else if (affinity.equals("ClientIP")) {
      ObjectNode client = Json.child(Json.child(spec, "sessionAffinityConfig"), "clientIP");
      Defaults.missingNumber(client, "timeoutSeconds", AFFINITY_SECONDS);
    }
  }

  private static void applyToPort(ObjectNode port) {
    Defaults.text(port, "protocol", "TCP");
    JsonNode target = port.path("targetPort");
    boolean unset = target.isString() ? target.stringValue().isEmpty() : target.asLong(0) == 0;
    if (unset) {
      port.put("targetPort", port.path("port").asLong(0));
    }
    if (port.path("nodePort").asInt(0) == 0) {
      port.remove("nodePort");
    }
  }

  private static void applyToStatus(ObjectNode service) {
    if (!(service.get("status") instanceof ObjectNode status)) {
      return;
    }
    ObjectNode balancer = Json.child(status, "loadBalancer");
    for (JsonNode ingress : balancer.path("ingress")) {
      if (ServiceSpec.isLoadBalancer(service.path("spec"))
          && ingress instanceof ObjectNode one
          && !one.path("ip").asString("").isEmpty()) {
        Defaults.missingText(one, "ipMode", "VIP");
      }
    }
  }
}
