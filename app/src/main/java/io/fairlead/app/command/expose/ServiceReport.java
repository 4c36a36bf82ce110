package io.fairlead.app.command.expose;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Where a new Service is and who serves it.
///
/// Owned by one thread.
final class ServiceReport {
  private static final Duration GLANCE = Duration.ofMillis(100);
  private static final String LOAD_BALANCER = "LoadBalancer";

  private final Client client;
  private final ObjectKey key;
  private final Ticker ticker;
  private final Pacer pacer;
  private ObjectNode service;

  /// @param created as the API server answered
  ServiceReport(Client client, ObjectNode created, Ticker ticker, Pacer pacer) {
    this.client = client;
    this.service = created;
    this.ticker = ticker;
    this.pacer = pacer;
    this.key =
        new ObjectKey(
            Json.textOr(created, "", "metadata", "namespace"),
            Json.textOr(created, "", "metadata", "name"));
  }

  /// A way to it.
  ///
  /// @param from who can go it: `machine`, `balancer` for whom its address is announced to,
  ///   `outside` or `pod`
  /// @param address what to type there
  record Way(String from, String address) {}

  /// The Service as it was seen last.
  ObjectNode service() {
    return service;
  }

  /// Waits until a pod serves, and a balancer's address is there where one is wanted.
  ///
  /// @return how many endpoints are ready at last
  int await(Duration patience) {
    long end = ticker.nanos() + patience.toNanos();
    int serving = serving();
    try {
      while ((serving == 0 || lacksAddress()) && ticker.nanos() < end) {
        pacer.pause(GLANCE);
        serving = serving();
        client.find(ResourceType.SERVICES, key).ifPresent(now -> service = now);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return serving;
  }

  private boolean lacksAddress() {
    return type().equals(LOAD_BALANCER) && balancer().isEmpty();
  }

  private int serving() {
    Set<String> addresses = new HashSet<>();
    ListOptions slices = ListOptions.ALL.labelled("kubernetes.io/service-name=" + key.name());
    for (ObjectNode slice :
        client.list(ResourceType.ENDPOINT_SLICES, key.namespace(), slices).items()) {
      for (JsonNode endpoint : slice.path("endpoints")) {
        if (endpoint.path("conditions").path("ready").asBoolean(true)) {
          addresses.add(endpoint.path("addresses").path(0).asString(""));
        }
      }
    }
    return addresses.size();
  }

  private String type() {
    return Json.textOr(service, "ClusterIP", "spec", "type");
  }

  private String balancer() {
    JsonNode first = Json.at(service, "status", "loadBalancer", "ingress").path(0);
    return Json.textOr(first, Json.textOr(first, "", "hostname"), "ip");
  }

  /// `Service default/web ClusterIP 10.96.1.2 80/TCP → 9376`.
  String title() {
    String ports =
        StreamSupport.stream(Json.at(service, "spec", "ports").spliterator(), false)
            .map(
                port ->
                    port.path("port").asInt(0)
                        + "/"
                        + Json.textOr(port, "TCP", "protocol")
                        + " → "
                        + port.path("targetPort").asString())
            .collect(Collectors.joining(", "));
    return "Service "
        + key
        + "   "
        + type()
        + " "
        + Json.textOr(service, "", "spec", "clusterIP")
        + "   "
        + ports;
  }

  /// What to type, where, to see an answer.
  List<Way> ways() {
    List<Way> ways = new ArrayList<>();
    for (JsonNode port : Json.at(service, "spec", "ports")) {
      int number = port.path("port").asInt(0);
      boolean tcp = Json.textOr(port, "TCP", "protocol").equals("TCP");
      ways.add(
          new Way("machine", typed(Json.textOr(service, "", "spec", "clusterIP"), number, tcp)));
      String outside = balancer();
      if (!outside.isEmpty()) {
        ways.add(new Way("balancer", typed(outside, number, tcp)));
      }
      int nodePort = port.path("nodePort").asInt(0);
      if (nodePort > 0 && type().equals("NodePort")) {
        node().ifPresent(node -> ways.add(new Way("outside", typed(node, nodePort, tcp))));
      }
      ways.add(new Way("pod", typed(key.name() + "." + key.namespace(), number, tcp)));
    }
    return ways;
  }

  private Optional<String> node() {
    return client.list(ResourceType.NODES, "", ListOptions.ALL.limited(1)).items().stream()
        .flatMap(
            node -> StreamSupport.stream(Json.at(node, "status", "addresses").spliterator(), false))
        .filter(address -> Json.textOr(address, "", "type").equals("InternalIP"))
        .map(address -> Json.textOr(address, "", "address"))
        .findFirst();
  }

  /// A line to paste for TCP, which is HTTP more often than not; otherwise the address.
  private static String typed(String host, int port, boolean tcp) {
    String shown = host.contains(":") ? "[" + host + "]" : host;
    String whole = shown + (tcp && port == 80 ? "" : ":" + port);
    return tcp ? "curl http://" + whole : whole;
  }
}
