package io.fairlead.server.stream;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.resource.ClusterReader;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Finds where webhooks and aggregated API servers listen: at the ready endpoints of a Service, or
/// at a host that an administrator named. Those who ask speak TLS there and send nothing before the
/// certificate is the right one. Safe for many threads.
public final class ServiceAddressResolver {
  private static final String SERVICE_LABEL = "kubernetes.io/service-name";

  private final ClusterReader reader;
  private final ProxyAddressPolicy addresses;
  private final RandomGenerator random;

  public ServiceAddressResolver(NodeDirectory nodes, ClusterReader reader, RandomGenerator random) {
    this.reader = reader;
    this.addresses = nodes.addresses();
    this.random = random;
  }

  /// The ready endpoints behind a port of a Service, in the order to try them. Endpoints that are
  /// no pods count too; all addresses are held to what `services/proxy` may reach.
  ///
  /// @throws ApiException when there is no such Service or nothing is ready
  public List<InetSocketAddress> service(String namespace, String name, int port) {
    ObjectNode service = reader.get("", "services", namespace, name);
    if (service == null) {
      throw ApiException.notFound("", "service", name);
    }
    if (Json.textOr(service, "", "spec", "type").equals("ExternalName")) {
      String host = Json.textOr(service, "", "spec", "externalName");
      return List.of(new InetSocketAddress(addresses.check(host, port), port));
    }
    String portName = portName(service, port);
    List<InetSocketAddress> found = new ArrayList<>();
    for (ObjectNode slice : reader.list("discovery.k8s.io", "endpointslices", namespace)) {
      if (Json.textOr(slice, "", "metadata", "labels", SERVICE_LABEL).equals(name)) {
        for (JsonNode each : slice.path("ports")) {
          if (Json.textOr(each, "", "name").equals(portName)) {
            collect(slice, each.path("port").asInt(0), found);
          }
        }
      }
    }
    if (found.isEmpty()) {
      throw unavailable("no endpoints available for service \"" + name + "\"");
    }
    Collections.rotate(found, random.nextInt(found.size()));
    return found;
  }

  /// The addresses of a host that stands in a configuration which only administrators write.
  ///
  /// @throws ApiException when one of them is not allowed, or there is none
  public List<InetSocketAddress> host(String host, int port) {
    return addresses.checkConfigured(host, port).stream()
        .map(address -> new InetSocketAddress(address, port))
        .toList();
  }

  private static String portName(ObjectNode service, int port) {
    for (JsonNode each : Json.at(service, "spec", "ports")) {
      if (each.path("port").asInt(0) == port) {
        return Json.textOr(each, "", "name");
      }
    }
    throw unavailable(
        "no service port "
            + port
            + " found for service \""
            + Json.textOr(service, "", "metadata", "name")
            + "\"");
  }

  private void collect(ObjectNode slice, int port, List<InetSocketAddress> found) {
    for (JsonNode endpoint : slice.path("endpoints")) {
      String address = endpoint.path("addresses").path(0).asString("");
      if (Json.at(endpoint, "conditions", "ready").asBoolean(true) && !address.isEmpty()) {
        found.add(new InetSocketAddress(addresses.checkLiteral(address, port), port));
      }
    }
  }

  private static ApiException unavailable(String why) {
    return new ApiException(Status.of(503, "ServiceUnavailable", why));
  }
}
