package io.fairlead.server.resources.service;

import io.fairlead.server.resources.table.Cells;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// Questions about the spec of a Service that many rules ask.
final class ServiceSpec {
  static final String NONE = "None";

  private ServiceSpec() {}

  static String type(JsonNode spec) {
    return spec.path("type").asString("");
  }

  static boolean isExternalName(JsonNode spec) {
    return type(spec).equals("ExternalName");
  }

  static boolean isLoadBalancer(JsonNode spec) {
    return type(spec).equals("LoadBalancer");
  }

  /// Whether it is known by its pods' addresses instead of one of its own.
  static boolean isHeadless(JsonNode spec) {
    List<String> addresses = clusterIps(spec);
    return addresses.isEmpty()
        ? spec.path("clusterIP").asString("").equals(NONE)
        : addresses.getFirst().equals(NONE);
  }

  static List<String> clusterIps(JsonNode spec) {
    return Cells.strings(spec.path("clusterIPs"));
  }

  static List<String> ipFamilies(JsonNode spec) {
    return Cells.strings(spec.path("ipFamilies"));
  }

  /// Whether the type has cluster addresses; a headless Service counts, its address is `None`.
  static boolean needsClusterIp(JsonNode spec) {
    return List.of("ClusterIP", "NodePort", "LoadBalancer").contains(type(spec));
  }

  static boolean needsNodePorts(JsonNode spec) {
    return type(spec).equals("NodePort") || isLoadBalancer(spec);
  }

  /// Whether ports without a node port get one.
  static boolean allocatesNodePorts(JsonNode spec) {
    return type(spec).equals("NodePort")
        || (isLoadBalancer(spec) && spec.path("allocateLoadBalancerNodePorts").asBoolean(true));
  }

  static boolean needsHealthCheckPort(JsonNode spec) {
    return isLoadBalancer(spec) && spec.path("externalTrafficPolicy").asString("").equals("Local");
  }

  static boolean isExternallyAccessible(JsonNode spec) {
    return needsNodePorts(spec)
        || (type(spec).equals("ClusterIP") && !spec.path("externalIPs").isEmpty());
  }

  /// The node ports of its ports, without zero.
  static Set<Integer> nodePorts(JsonNode spec) {
    Set<Integer> ports = new TreeSet<>();
    for (JsonNode port : spec.path("ports")) {
      if (port.path("nodePort").asInt(0) != 0) {
        ports.add(port.path("nodePort").asInt(0));
      }
    }
    return ports;
  }
}
