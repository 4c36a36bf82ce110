package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Puts what nodes said of their flows together: one entry for each service port, with the share of
/// each endpoint, the share the nodes' plans would give it, and the reason where they differ. Pure.
final class TopModel {
  private static final int FEW = 20;
  private static final int ENOUGH_NEW = 50;
  private static final double LEAST_SKEW = 0.10;
  private static final double SIGMAS = 3;

  /// Where one percent of a normal distribution begins.
  private static final double ONE_PERCENT = 2.326;

  private static final double UNEVEN = 0.01;
  private static final int CLIENTS_PER_ENDPOINT = 3;

  private TopModel() {}

  /// One endpoint of a service port.
  ///
  /// @param inBytes a second, of the last interval; null where a node does not count
  /// @param older how many of the active connections are older than the youngest endpoint; null
  ///   where that is not known
  record TopEndpoint(
      String address,
      int port,
      int active,
      double newPerSecond,
      @Nullable Double inBytes,
      @Nullable Double outBytes,
      double share,
      double expect,
      @Nullable Long oldestSeconds,
      @Nullable Integer older,
      boolean flagged) {}

  /// Why shares are not as expected.
  record Skew(String code, Map<String, String> values) {}

  /// One service port.
  record TopService(
      String namespace,
      String name,
      String port,
      String protocol,
      String address,
      int number,
      String mode,
      int active,
      double newPerSecond,
      @Nullable Double inBytes,
      @Nullable Double outBytes,
      List<TopEndpoint> endpoints,
      Optional<Skew> skew) {}

  /// @param flows the documents `NodeFlows`, one of each node
  static List<TopService> of(List<ObjectNode> flows) {
    Map<String, List<NodeService>> byPort = new LinkedHashMap<>();
    for (ObjectNode node : flows) {
      double seconds = Math.max(1, node.path("sinceMillis").asInt(0)) / 1000.0;
      for (JsonNode service : node.path("services")) {
        String key =
            Json.textOr(service, "", "namespace")
                + "/"
                + Json.textOr(service, "", "name")
                + ":"
                + Json.textOr(service, "", "port")
                + "/"
                + Json.textOr(service, "", "protocol")
                + "@"
                + Json.textOr(service, "", "address");
        byPort
            .computeIfAbsent(key, _ -> new ArrayList<>())
            .add(new NodeService(Json.textOr(node, "", "mode"), seconds, service));
      }
    }
    return byPort.values().stream().map(TopModel::service).toList();
  }

  /// What one node said of a service port.
  private record NodeService(String mode, double seconds, JsonNode service) {
    int begun() {
      int begun = 0;
      for (JsonNode endpoint : service.path("endpoints")) {
        begun += endpoint.path("begun").asInt(0);
      }
      return begun;
    }
  }

  /// The sums over all nodes of one endpoint.
  private static final class Sums {
    private int active;
    private int begun;
    private double perSecond;
    private double in;
    private double out;
    private double expect;
    private boolean counted = true;
    private long oldest = -1;
    private int older;
    private boolean aged = true;

    void add(JsonNode endpoint, double seconds, double weight) {
      int more = endpoint.path("begun").asInt(0);
      active += endpoint.path("active").asInt(0);
      begun += more;
      perSecond += more / seconds;
      counted &= endpoint.path("inBytes").isNumber() && endpoint.path("outBytes").isNumber();
      in += endpoint.path("inBytes").asDouble(0) / seconds;
      out += endpoint.path("outBytes").asDouble(0) / seconds;
      expect += weight * endpoint.path("expect").asDouble(0);
      oldest = Math.max(oldest, endpoint.path("oldestSeconds").asLong(-1));
      aged &= endpoint.path("older").isNumber() || endpoint.path("active").asInt(0) == 0;
      older += endpoint.path("older").asInt(0);
    }
  }

  private static TopService service(List<NodeService> nodes) {
    int allBegun = nodes.stream().mapToInt(NodeService::begun).sum();
    Map<String, Sums> sums = new LinkedHashMap<>();
    Map<String, JsonNode> samples = new LinkedHashMap<>();
    for (NodeService node : nodes) {
      double weight = allBegun == 0 ? 1.0 / nodes.size() : (double) node.begun() / allBegun;
      for (JsonNode endpoint : node.service().path("endpoints")) {
        String key = Json.textOr(endpoint, "", "address") + " " + endpoint.path("port").asInt(0);
        samples.putIfAbsent(key, endpoint);
        sums.computeIfAbsent(key, _ -> new Sums()).add(endpoint, node.seconds(), weight);
      }
    }
    int active = sums.values().stream().mapToInt(each -> each.active).sum();
    List<TopEndpoint> endpoints = new ArrayList<>();
    sums.forEach(
        (key, sum) -> {
          JsonNode sample = samples.get(key);
          endpoints.add(endpoint(sample == null ? Json.object() : sample, sum, active));
        });
    endpoints.sort(Comparator.comparing(TopEndpoint::address));
    JsonNode first = nodes.getFirst().service();
    boolean counted = sums.values().stream().allMatch(each -> each.counted);
    return new TopService(
        Json.textOr(first, "", "namespace"),
        Json.textOr(first, "", "name"),
        Json.textOr(first, "", "port"),
        Json.textOr(first, "", "protocol"),
        Json.textOr(first, "", "address"),
        first.path("number").asInt(0),
        nodes.getFirst().mode(),
        active,
        sums.values().stream().mapToDouble(each -> each.perSecond).sum(),
        counted ? sums.values().stream().mapToDouble(each -> each.in).sum() : null,
        counted ? sums.values().stream().mapToDouble(each -> each.out).sum() : null,
        List.copyOf(endpoints),
        skew(nodes, sums, endpoints, active, allBegun));
  }

  private static TopEndpoint endpoint(JsonNode sample, Sums sum, int active) {
    double share = active == 0 ? 0 : (double) sum.active / active;
    double noise = active == 0 ? 1 : SIGMAS * Math.sqrt(sum.expect * (1 - sum.expect) / active);
    boolean flagged = active >= FEW && Math.abs(share - sum.expect) > Math.max(LEAST_SKEW, noise);
    return new TopEndpoint(
        Json.textOr(sample, "", "address"),
        sample.path("port").asInt(0),
        sum.active,
        sum.perSecond,
        sum.counted ? sum.in : null,
        sum.counted ? sum.out : null,
        share,
        sum.expect,
        sum.oldest < 0 ? null : sum.oldest,
        sum.aged ? sum.older : null,
        flagged);
  }

  private static Optional<Skew> skew(
      List<NodeService> nodes,
      Map<String, Sums> sums,
      List<TopEndpoint> endpoints,
      int active,
      int begun) {
    Optional<TopEndpoint> most =
        endpoints.stream()
            .filter(each -> each.flagged() && each.share() > each.expect())
            .max(Comparator.comparingDouble(each -> each.share() - each.expect()));
    if (most.isEmpty()) {
      boolean uneven =
          nodes.size() > 1
              && endpoints.stream().mapToDouble(TopEndpoint::expect).max().orElse(0)
                      - endpoints.stream().mapToDouble(TopEndpoint::expect).min().orElse(0)
                  > UNEVEN;
      return uneven ? Optional.of(new Skew("FL182", Map.of())) : Optional.empty();
    }
    int clients = nodes.stream().mapToInt(each -> each.service().path("clients").asInt(0)).sum();
    boolean sticky = nodes.getFirst().service().path("affinitySeconds").asInt(0) > 0;
    if (sticky && clients < CLIENTS_PER_ENDPOINT * endpoints.size()) {
      return Optional.of(
          new Skew("FL181", Map.of("clients", "" + clients, "endpoints", "" + endpoints.size())));
    }
    JsonNode top = top(nodes);
    int held = top.path("active").asInt(0);
    if (held * 2 > active) {
      return Optional.of(
          new Skew(
              "FL184",
              Map.of(
                  "client",
                  Json.textOr(top, "", "address"),
                  "share",
                  Math.round(100.0 * held / active) + " %")));
    }
    TopEndpoint endpoint = most.get();
    Integer older = endpoint.older();
    double surplus = endpoint.active() - endpoint.expect() * active;
    if (begun >= ENOUGH_NEW && isEven(sums, begun) && older != null && older * 2 > surplus) {
      return Optional.of(
          new Skew(
              "FL180",
              Map.of(
                  "count",
                  "" + older,
                  "total",
                  "" + endpoint.active(),
                  "endpoint",
                  endpoint.address())));
    }
    return Optional.of(new Skew("FL183", Map.of()));
  }

  private static JsonNode top(List<NodeService> nodes) {
    JsonNode most = Json.object();
    for (NodeService node : nodes) {
      JsonNode top = node.service().path("topClient");
      if (top.path("active").asInt(0) > most.path("active").asInt(0)) {
        most = top;
      }
    }
    return most;
  }

  /// Whether new connections are spread as expected: a chi-square test, with the approximation of
  /// Wilson and Hilferty for its distribution.
  private static boolean isEven(Map<String, Sums> sums, int begun) {
    double statistic = 0;
    int degrees = -1;
    for (Sums each : sums.values()) {
      double expected = each.expect * begun;
      if (expected > 0) {
        statistic += (each.begun - expected) * (each.begun - expected) / expected;
        degrees++;
      }
    }
    if (degrees < 1) {
      return true;
    }
    double spread = 2.0 / (9 * degrees);
    double normal = (Math.cbrt(statistic / degrees) - (1 - spread)) / Math.sqrt(spread);
    return normal < ONE_PERCENT;
  }
}
