package io.fairlead.server.resources.service;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.store.Write;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is stored so that a Service's addresses and node ports belong to no other Service: an
/// IPAddress for each address, a key for each port. Both are written on condition that there is
/// none yet.
public final class ServiceClaims {
  /// The group of IPAddress.
  public static final String GROUP = "networking.k8s.io";

  public static final String ADDRESSES = "/registry/ipaddresses/";
  public static final String NODE_PORTS = "/registry/nodeports/";

  /// Says that an IPAddress was made by an API server.
  public static final String MANAGED_BY = "ipaddress.kubernetes.io/managed-by";

  public static final String ALLOCATOR = "ipallocator.k8s.io";

  private ServiceClaims() {}

  /// The claim of an address for a Service.
  public static Write.Put address(
      IpAddress address, String namespace, String service, UUID uid, Instant now) {
    ObjectNode claim = Json.object();
    claim.put("kind", "IPAddress").put("apiVersion", GROUP + "/v1");
    ObjectNode metadata = claim.putObject("metadata");
    metadata.put("name", address.toString());
    metadata.put("uid", uid.toString());
    metadata.put("creationTimestamp", now.truncatedTo(ChronoUnit.SECONDS).toString());
    metadata
        .putObject("labels")
        .put("ipaddress.kubernetes.io/ip-family", address.family().toString())
        .put(MANAGED_BY, ALLOCATOR);
    claim
        .putObject("spec")
        .putObject("parentRef")
        .put("resource", "services")
        .put("namespace", namespace)
        .put("name", service);
    return new Write.Put(ADDRESSES + address, Json.bytes(claim), Write.ABSENT);
  }

  /// The claim of a node port for a Service.
  public static Write.Put nodePort(int port, String namespace, String service) {
    ObjectNode claim = Json.object().put("namespace", namespace).put("service", service);
    return new Write.Put(NODE_PORTS + port, Json.bytes(claim), Write.ABSENT);
  }

  /// Whether the IPAddress was made for that Service.
  public static boolean isOf(JsonNode ipAddress, String namespace, String service) {
    JsonNode parent = ipAddress.at("/spec/parentRef");
    return parent.path("resource").asString("").equals("services")
        && parent.path("namespace").asString("").equals(namespace)
        && parent.path("name").asString("").equals(service);
  }

  /// The addresses that the spec of a Service holds, as they are written there.
  public static List<String> addresses(JsonNode spec) {
    return ServiceSpec.needsClusterIp(spec) && !ServiceSpec.isHeadless(spec)
        ? ServiceSpec.clusterIps(spec)
        : List.of();
  }

  /// The node ports that the spec of a Service holds, that of its health check included.
  public static Set<Integer> nodePorts(JsonNode spec) {
    Set<Integer> ports = ServiceSpec.nodePorts(spec);
    int health = spec.path("healthCheckNodePort").asInt(0);
    if (health != 0) {
      ports.add(health);
    }
    return ports;
  }
}
