package io.fairlead.server.stream;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.resource.ClusterReader;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Finds where a proxied request goes: `[SCHEME:]NAME[:PORT]` of a pod or a service.
final class ProxyTargetResolver {
  private static final String SERVICE_LABEL = "kubernetes.io/service-name";

  /// What a name in the path says.
  ///
  /// @param scheme `http` or `https`
  /// @param port number or name; empty for the first
  record Name(String scheme, String name, String port) {
    static Name parse(String text) {
      String[] parts = text.split(":", -1);
      return switch (parts.length) {
        case 1 -> new Name("http", parts[0], "");
        case 2 -> new Name("http", parts[0], parts[1]);
        case 3 -> new Name(scheme(parts[0]), parts[1], parts[2]);
        default -> throw ApiException.badRequest("invalid proxy request \"" + text + "\"");
      };
    }

    private static String scheme(String text) {
      return switch (text) {
        case "", "http" -> "http";
        case "https" -> "https";
        default -> throw ApiException.badRequest("invalid proxy scheme \"" + text + "\"");
      };
    }
  }

  /// @param tls whether to speak TLS there, without verification, as the API says
  /// @param address where to connect to
  record Target(InetAddress address, int port, boolean tls) {
    String host() {
      return address.getHostAddress();
    }
  }

  private final ClusterReader reader;
  private final ProxyAddressPolicy addresses;
  private final RandomGenerator random;

  ProxyTargetResolver(ClusterReader reader, ProxyAddressPolicy addresses, RandomGenerator random) {
    this.reader = reader;
    this.addresses = addresses;
    this.random = random;
  }

  /// A pod by its address; without a port its first one, or 80.
  Target pod(String namespace, Name wanted) {
    ObjectNode pod = reader.get("", "pods", namespace, wanted.name());
    if (pod == null) {
      throw ApiException.notFound("", "pods", wanted.name());
    }
    String address = Json.textOr(pod, "", "status", "podIP");
    if (address.isEmpty()) {
      throw unavailable("address not allowed: pod \"" + wanted.name() + "\" has none yet");
    }
    boolean tls = wanted.scheme().equals("https");
    int port = tls ? 443 : 80;
    for (JsonNode container : Json.at(pod, "spec", "containers")) {
      for (JsonNode declared : container.path("ports")) {
        if (wanted.port().isEmpty() || wanted.port().equals(Json.textOr(declared, "", "name"))) {
          return allowed(address, declared.path("containerPort").asInt(0), tls);
        }
      }
    }
    if (!wanted.port().isEmpty()) {
      port = number(wanted.port());
    }
    return allowed(address, port, tls);
  }

  /// One of a service's ready endpoints that is a pod of the service's namespace.
  Target service(String namespace, Name wanted) {
    ObjectNode service = reader.get("", "services", namespace, wanted.name());
    if (service == null) {
      throw ApiException.notFound("", "services", wanted.name());
    }
    String portName = portName(service, wanted);
    List<Target> found = new ArrayList<>();
    for (ObjectNode slice : reader.list("discovery.k8s.io", "endpointslices", namespace)) {
      if (Json.textOr(slice, "", "metadata", "labels", SERVICE_LABEL).equals(wanted.name())) {
        for (JsonNode port : slice.path("ports")) {
          if (Json.textOr(port, "", "name").equals(portName)) {
            collect(slice, namespace, port.path("port").asInt(0), wanted, found);
          }
        }
      }
    }
    if (found.isEmpty()) {
      throw unavailable("no endpoints available for service \"" + wanted.name() + "\"");
    }
    return found.get(random.nextInt(found.size()));
  }

  private static String portName(ObjectNode service, Name wanted) {
    JsonNode ports = Json.at(service, "spec", "ports");
    for (JsonNode port : ports) {
      String name = Json.textOr(port, "", "name");
      boolean meant =
          wanted.port().isEmpty()
              ? ports.size() == 1 || name.isEmpty()
              : name.equals(wanted.port())
                  || Integer.toString(port.path("port").asInt(0)).equals(wanted.port());
      if (meant) {
        return name;
      }
    }
    throw unavailable(
        "no service port \"" + wanted.port() + "\" found for service \"" + wanted.name() + "\"");
  }

  private void collect(
      ObjectNode slice, String namespace, int port, Name wanted, List<Target> found) {
    for (JsonNode endpoint : slice.path("endpoints")) {
      boolean ready = Json.at(endpoint, "conditions", "ready").asBoolean(true);
      boolean pod =
          Json.textOr(endpoint, "", "targetRef", "kind").equals("Pod")
              && Json.textOr(endpoint, "", "targetRef", "namespace").equals(namespace);
      if (ready && pod) {
        String address = endpoint.path("addresses").path(0).asString("");
        found.add(allowed(address, port, wanted.scheme().equals("https")));
      }
    }
  }

  /// A pod's address is a literal: no name is looked up for it.
  private Target allowed(String address, int port, boolean tls) {
    return new Target(addresses.checkLiteral(address, port), port, tls);
  }

  /// @throws ApiException 400 when it is the name of no port
  static int number(String port) {
    if (!port.matches("[0-9]{1,5}")) {
      throw ApiException.badRequest("no port \"" + port + "\" here");
    }
    return Integer.parseInt(port);
  }

  private static ApiException unavailable(String why) {
    return new ApiException(Status.of(503, "ServiceUnavailable", why));
  }
}
