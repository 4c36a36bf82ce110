package io.fairlead.server.stream;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.http.message.HttpClientConnection;
import io.fairlead.server.resource.ClusterReader;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Finds and reaches nodes' own servers: by the Node object, or where an agent of this process said
/// that it listens. Safe for many threads.
public final class NodeDirectory {
  /// The annotation in which a node's agent names its server's certificate.
  private static final String FINGERPRINT = "fairlead.dev/serving-certificate-sha256";

  private record Near(String host, int port) {}

  private final ClusterReader reader;
  private final Optional<NodeTls> tls;
  private final ProxyAddressPolicy addresses;
  private final Map<String, Near> near = new ConcurrentHashMap<>();

  /// @param tls empty when this server has no certificate for nodes
  public NodeDirectory(ClusterReader reader, Optional<NodeTls> tls) {
    this.reader = reader;
    this.tls = tls;
    this.addresses = new ProxyAddressPolicy(reader);
  }

  /// This server listens on that port: no node and no pod is there.
  public void addOwnPort(int port) {
    addresses.addOwnPort(port);
  }

  ProxyAddressPolicy addresses() {
    return addresses;
  }

  /// That node's agent is in this process and listens there.
  public void serve(String node, String host, int port) {
    near.put(node, new Near(host, port));
  }

  /// Connects to a node's server.
  ///
  /// @throws ApiException when there is no such node, or it cannot be reached
  HttpClientConnection connect(String node) {
    if (tls.isEmpty()) {
      throw unreachable(node, "this server has no certificate for nodes");
    }
    NodeServerEndpoint place = place(node);
    try {
      return new HttpClientConnection(tls.get().connect(place));
    } catch (IOException e) {
      throw unreachable(
          node, place.host() + ":" + place.port() + ": " + String.valueOf(e.getMessage()));
    }
  }

  /// Whether a port of a node is that of its own server; no port means that one.
  boolean isServer(String node, String port) {
    return port.isEmpty() || port.equals(Integer.toString(place(node).port()));
  }

  /// Another port of a node, which whatever listens there answers.
  ProxyTargetResolver.Target other(ProxyTargetResolver.Name wanted) {
    ObjectNode node = reader.get("", "nodes", "", wanted.name());
    if (node == null) {
      throw ApiException.notFound("", "nodes", wanted.name());
    }
    int port = ProxyTargetResolver.number(wanted.port());
    return new ProxyTargetResolver.Target(
        addresses.check(address(node, wanted.name()), port), port, wanted.scheme().equals("https"));
  }

  private NodeServerEndpoint place(String name) {
    ObjectNode node = reader.get("", "nodes", "", name);
    if (node == null) {
      throw unreachable(name, "there is no such Node");
    }
    String fingerprint = Json.textOr(node, "", "metadata", "annotations", FINGERPRINT);
    Near own = near.get(name);
    if (own != null) {
      return new NodeServerEndpoint(
          name, own.host(), InetAddress.ofLiteral(own.host()), own.port(), fingerprint);
    }
    int port = Json.at(node, "status", "daemonEndpoints", "kubeletEndpoint", "Port").asInt(0);
    if (port == 0) {
      throw unreachable(name, "its Node names no port; run a node agent there");
    }
    String host = address(node, name);
    return new NodeServerEndpoint(name, host, addresses.check(host, port), port, fingerprint);
  }

  private static String address(ObjectNode node, String name) {
    for (String type : new String[] {"InternalIP", "ExternalIP", "Hostname"}) {
      for (JsonNode address : Json.at(node, "status", "addresses")) {
        if (Json.textOr(address, "", "type").equals(type)) {
          return Json.textOr(address, "", "address");
        }
      }
    }
    throw unreachable(name, "its Node names no address");
  }

  private static ApiException unreachable(String node, String why) {
    return new ApiException(
        Status.of(503, "ServiceUnavailable", "node \"" + node + "\" cannot be reached: " + why));
  }
}
