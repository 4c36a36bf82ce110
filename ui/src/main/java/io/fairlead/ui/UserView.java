package io.fairlead.ui;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1Node;
import io.fairlead.insight.evidence.AboutReport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.explain.ServiceExplainer;
import io.fairlead.insight.gather.ExplainOptions;
import io.fairlead.insight.gather.HistoryGathering;
import io.fairlead.insight.gather.ServiceGathering;
import io.fairlead.insight.gather.Sources;
import io.fairlead.insight.history.HistoryChange;
import io.fairlead.insight.history.HistoryEvidence;
import io.fairlead.insight.history.HistoryJoin;
import io.fairlead.ui.model.Rights;
import io.fairlead.ui.model.SentenceJson;
import io.fairlead.ui.model.UiModel;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The values that one user sees, each as a new tree.
final class UserView {
  private static final Duration LIMIT = Duration.ofSeconds(15);
  private static final int MOST_CHANGES = 300;

  private final UiHost host;
  private final UiModel model;
  private final UiUser user;
  private final Rights rights;
  private final InstantSource clock;

  UserView(UiHost host, UiModel model, UiUser user, Rights rights, InstantSource clock) {
    this.host = host;
    this.model = model;
    this.user = user;
    this.rights = rights;
    this.clock = clock;
  }

  /// Why a Service does or does not work, with what nodes and the kernel say.
  ///
  /// @param probes whether packets may be sent
  Optional<ObjectNode> explanation(ObjectKey key, boolean probes) {
    ExplainOptions options =
        probes ? ExplainOptions.DEFAULT : ExplainOptions.DEFAULT.withoutProbes();
    ServiceEvidence evidence =
        new ServiceGathering(host.sources(user), clock, Ticker.system(), options).gather(key);
    Optional<ServiceFacts> service = evidence.service().value().flatMap(found -> found);
    return service.map(facts -> SentenceJson.of(ServiceExplainer.explain(evidence, facts, "")));
  }

  /// Recorded changes, the newest first.
  ///
  /// @param namespace empty for all
  /// @param service empty for all
  ObjectNode history(String namespace, String service, Duration back) {
    HistoryEvidence evidence =
        new HistoryGathering(host.sources(user), clock, LIMIT)
            .gather(
                new HistoryGathering.Wanted(
                    clock.instant().minus(back), namespace, service, nodeNames()));
    ObjectNode value = Json.object().put("apiAlone", evidence.isApiAlone());
    ObjectNode changes = value.putObject("changes");
    ArrayNode order = value.putArray("order");
    List<HistoryChange> all =
        HistoryJoin.of(evidence).stream()
            .filter(change -> change.service().isEmpty() || maySee(change.service()))
            .sorted(Comparator.comparing(HistoryChange::at).reversed())
            .limit(MOST_CHANGES)
            .toList();
    for (HistoryChange change : all) {
      String id = change.at() + " " + change.kind() + " " + change.service();
      for (int twin = 2; changes.has(id); twin++) {
        id = change.at() + " " + change.kind() + " " + change.service() + " " + twin;
      }
      order.add(id);
      change(changes.putObject(id), change);
    }
    return value;
  }

  private boolean maySee(String service) {
    int slash = service.indexOf('/');
    return slash < 0 || rights.mayList(ResourceType.SERVICES, service.substring(0, slash));
  }

  private static void change(ObjectNode out, HistoryChange change) {
    out.put("at", change.at().toString())
        .put("kind", change.kind())
        .put("service", change.service())
        .put("user", change.user());
    out.set("what", SentenceJson.of(change.what()));
    out.set("why", SentenceJson.of(change.why()));
    change.slice().ifPresent(slice -> out.put("sliceMillis", slice.after().toMillis()));
    ArrayNode nodes = out.putArray("nodes");
    for (HistoryChange.NodeTime node : change.nodes()) {
      ObjectNode one =
          nodes.addObject().put("node", node.node()).put("state", node.state().toString());
      node.after().ifPresent(after -> one.put("millis", after.toMillis()));
      node.received()
          .ifPresent(at -> one.put("receivedMillis", Duration.between(change.at(), at).toMillis()));
    }
  }

  private List<String> nodeNames() {
    return model.nodes().stream().map(node -> node.metadata().name()).sorted().toList();
  }

  /// Every node, with what its proxy says now.
  ObjectNode nodes() {
    ObjectNode value = Json.object();
    if (!rights.mayList(ResourceType.NODES, "")) {
      value
          .putObject("forbidden")
          .put("verb", "list")
          .put("resource", "nodes")
          .put("namespace", "");
      return value;
    }
    ObjectNode items = value.putObject("items");
    ArrayNode order = value.putArray("order");
    Sources sources = host.sources(user);
    Map<String, ProxyReport> reports = model.reports();
    Instant now = clock.instant();
    model.nodes().stream()
        .sorted(Comparator.comparing(node -> node.metadata().name()))
        .forEach(
            node -> {
              String name = node.metadata().name();
              order.add(name);
              node(
                  items.putObject(name),
                  node,
                  Optional.ofNullable(reports.get(name)),
                  sources.node(name, "about"),
                  now);
            });
    return value;
  }

  private static void node(
      ObjectNode out,
      V1Node node,
      Optional<ProxyReport> report,
      Evidence<ObjectNode> about,
      Instant now) {
    out.put("name", node.metadata().name())
        .put("ready", node.condition("Ready").filter(condition -> condition.isTrue()).isPresent())
        .put("address", String.join(", ", node.addresses("InternalIP")));
    if (report.isPresent()) {
      out.put("proxyAlive", report.get().lives(now));
      out.put("written", report.get().written().getOrDefault("IPv4", ""));
    } else {
      out.putNull("proxyAlive").putNull("written");
    }
    Optional<ObjectNode> said = about.value();
    if (said.isPresent()) {
      ObjectNode document = said.get();
      out.put("mode", AboutReport.of(document).mode())
          .put("version", Json.textOr(document, "", "version"))
          .put("kernel", Json.textOr(document, "", "kernel"));
      JsonNode sync = document.path("lastSync");
      out.set("syncs", sync.isMissingNode() ? Json.object() : sync.deepCopy());
    } else if (about instanceof Unseen<ObjectNode> unseen) {
      out.put("unseen", unseen.why().name());
    }
  }

  /// Live connections of a Service; `unseen` when no node tells.
  ObjectNode flows(String namespace, String service) {
    ObjectNode value = Json.object();
    Optional<ObjectNode> top = host.top(user, namespace, service);
    value.put("unseen", top.isEmpty());
    ObjectNode ports = value.putObject("ports");
    top.ifPresent(document -> document.path("services").forEach(port -> flow(ports, port)));
    return value;
  }

  private void flow(ObjectNode ports, JsonNode port) {
    String name = Json.textOr(port, "", "port");
    String id = name.isEmpty() ? "" + port.path("number").asInt(0) : name;
    ObjectNode out = ports.has(id) ? (ObjectNode) ports.get(id) : ports.putObject(id);
    for (String field :
        List.of(
            "mode",
            "active",
            "newPerSecond",
            "inBytesPerSecond",
            "outBytesPerSecond",
            "findings")) {
      if (port.has(field) && !port.path(field).isNull()) {
        out.set(field, port.get(field).deepCopy());
      }
    }
    ObjectNode endpoints = out.putObject("endpoints");
    for (JsonNode each : port.path("endpoints")) {
      String address = Json.textOr(each, "", "address");
      String place =
          (address.indexOf(':') >= 0 ? "[" + address + "]" : address)
              + ":"
              + each.path("port").asInt(0);
      endpoints.set(place, each.deepCopy());
    }
    ObjectNode sources = out.putObject("sources");
    for (JsonNode each : port.path("sources")) {
      String address = Json.textOr(each, "", "address");
      ObjectNode source =
          sources.putObject(address).put("connections", each.path("connections").asInt(0));
      model.podAt(address, rights).ifPresent(pod -> source.put("pod", pod.toString()));
    }
    out.put("sourceCount", port.path("sourceCount").asInt(0));
  }

  /// New connections a second of all Services, by key; of these alone that have any.
  ObjectNode rates() {
    ObjectNode value = Json.object();
    Optional<ObjectNode> top = host.top(user, "", "");
    boolean first =
        top.isPresent()
            && top.get()
                .path("services")
                .valueStream()
                .anyMatch(one -> one.path("newPerSecond").isNull());
    value.put("unseen", top.isEmpty() || first);
    ObjectNode rates = value.putObject("rates");
    top.ifPresent(
        document ->
            document
                .path("services")
                .forEach(
                    port -> {
                      String key =
                          Json.textOr(port, "", "namespace") + "/" + Json.textOr(port, "", "name");
                      double more = port.path("newPerSecond").asDouble(0);
                      rates.put(key, Math.round((rates.path(key).asDouble(0) + more) * 10) / 10.0);
                    }));
    return value;
  }
}
