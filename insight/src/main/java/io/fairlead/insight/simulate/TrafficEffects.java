package io.fairlead.insight.simulate;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.simulate.ServiceEffect.ConnectionEffect;
import io.fairlead.insight.simulate.ServiceEffect.PlacedEndpoint;
import io.fairlead.insight.simulate.ServiceEffect.RuleChange;
import io.fairlead.insight.simulate.ServiceEffect.ShareChange;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What nodes would do otherwise with traffic to Services: shares, rules, open connections.
final class TrafficEffects {
  private static final double SAME = 1e-9;

  private final List<NodeModel> before;
  private final List<NodeModel> after;
  private final Optional<ProxyMode> mode;
  private final Set<String> down;
  private final Set<String> endedAddresses;
  private final Map<String, ObjectNode> flows;

  /// @param endedAddresses of pods that end
  TrafficEffects(
      List<NodeModel> nodes,
      Optional<ProxyMode> mode,
      ChangedCluster changed,
      Set<String> endedAddresses,
      Map<String, ObjectNode> flows) {
    this.before = nodes;
    this.mode = mode;
    this.down = changed.down();
    this.flows = flows;
    this.endedAddresses = endedAddresses;
    this.after =
        nodes.stream()
            .filter(node -> !changed.down().contains(node.name()))
            .map(node -> mode.map(node::with).orElse(node))
            .toList();
  }

  /// What changes for one Service.
  record Outcome(
      List<ShareChange> shares,
      List<RuleChange> rules,
      Optional<ConnectionEffect> connections,
      List<Finding> findings,
      List<Sentence> notes) {}

  /// @param old the Service as it is; empty when it is new
  Outcome of(
      Optional<ObjectNode> old, ObjectNode service, List<ObjectNode> was, List<ObjectNode> will) {
    NodePlans plansBefore =
        old.map(each -> NodePlans.of(before, each, was)).orElseGet(() -> new NodePlans(Map.of()));
    NodePlans plansAfter = NodePlans.of(after, service, will);
    Map<String, PlacedEndpoint> endpoints = new TreeMap<>(ReadyEndpoints.all(was));
    endpoints.putAll(ReadyEndpoints.all(will));
    List<Finding> findings =
        new ArrayList<>(
            LocalTraffic.findings(ObjectKey.of(service), plansBefore, plansAfter, down));
    mode.ifPresent(
        wanted ->
            findings.addAll(
                ModeDifferences.findings(ObjectKey.of(service), before, after, plansAfter)));
    return new Outcome(
        shares(plansBefore, plansAfter, endpoints),
        rules(plansBefore, plansAfter),
        connections(ObjectKey.of(service)),
        findings,
        mode.isPresent() ? ModeDifferences.notes(changing(), plansAfter) : List.of());
  }

  /// The nodes that would be in another mode than they are.
  private List<NodeModel> changing() {
    return after.stream().filter(node -> !before.contains(node)).toList();
  }

  /// What the nodes plan for a Service, each in both families.
  record NodePlans(Map<NodeModel, List<Plan>> byNode) {
    static NodePlans of(List<NodeModel> nodes, ObjectNode service, List<ObjectNode> slices) {
      Map<NodeModel, List<Plan>> plans = new LinkedHashMap<>();
      for (NodeModel node : nodes) {
        List<Plan> both = new ArrayList<>();
        for (IpAddress.Family family : IpAddress.Family.values()) {
          Plan plan = node.plan(family, service, slices);
          if (plan.services().size() > 0) {
            both.add(plan);
          }
        }
        plans.put(node, both);
      }
      return new NodePlans(plans);
    }

    /// The part of connections to the cluster IP that each endpoint gets, all nodes alike.
    Map<Backend, Double> shares() {
      Map<Backend, Double> shares = new LinkedHashMap<>();
      for (List<Plan> plans : byNode.values()) {
        for (Plan plan : plans) {
          for (ServicePlan port : plan.sorted()) {
            if (port.fronts().getFirst().verdict()
                instanceof TrafficVerdict.Forward(List<Backend> to, var _)) {
              to.forEach(
                  each ->
                      shares.merge(
                          Backend.ready(each.address(), each.port(), false),
                          1.0 / to.size() / byNode.size(),
                          Double::sum));
            }
          }
        }
      }
      return shares;
    }
  }

  private static List<ShareChange> shares(
      NodePlans before, NodePlans after, Map<String, PlacedEndpoint> endpoints) {
    Map<Backend, Double> was = before.shares();
    Map<Backend, Double> will = after.shares();
    Set<Backend> all = new java.util.TreeSet<>(Backend.BY_TEXT);
    all.addAll(was.keySet());
    all.addAll(will.keySet());
    List<ShareChange> changes = new ArrayList<>();
    for (Backend each : all) {
      double now = was.getOrDefault(each, 0.0);
      double then = will.getOrDefault(each, 0.0);
      if (Math.abs(now - then) > SAME) {
        String address = each.address().toString();
        changes.add(
            new ShareChange(
                endpoints.getOrDefault(address, new PlacedEndpoint(address, "", "", true)),
                each.port(),
                now,
                then));
      }
    }
    return changes;
  }

  private static List<RuleChange> rules(NodePlans before, NodePlans after) {
    Map<String, List<String>> was = new LinkedHashMap<>();
    before.byNode().forEach((node, plans) -> was.put(node.name(), lines(node, plans)));
    List<RuleChange> changes = new ArrayList<>();
    after
        .byNode()
        .forEach(
            (node, plans) -> {
              List<String> removed = new ArrayList<>(was.getOrDefault(node.name(), List.of()));
              List<String> added = new ArrayList<>();
              for (String line : lines(node, plans)) {
                if (!removed.remove(line)) {
                  added.add(line);
                }
              }
              if (!added.isEmpty() || !removed.isEmpty()) {
                changes.add(new RuleChange(node.name(), node.mode().toString(), added, removed));
              }
            });
    return changes;
  }

  private static List<String> lines(NodeModel node, List<Plan> plans) {
    return plans.stream().flatMap(plan -> RenderedRules.of(node.mode(), plan).stream()).toList();
  }

  /// Those to pods that end or on a node that goes; connections through IPVS do not outlive it.
  /// What conntrack has translated stays, also to an endpoint that gets no new connections.
  private Optional<ConnectionEffect> connections(ObjectKey service) {
    if (flows.isEmpty()) {
      return Optional.empty();
    }
    int ending = 0;
    int staying = 0;
    for (Map.Entry<String, ObjectNode> node : flows.entrySet()) {
      boolean whole =
          down.contains(node.getKey())
              || (mode.isPresent() && Json.textOr(node.getValue(), "", "mode").equals("ipvs"));
      for (JsonNode each : node.getValue().path("services")) {
        if (!Json.textOr(each, "", "namespace").equals(service.namespace())
            || !Json.textOr(each, "", "name").equals(service.name())) {
          continue;
        }
        for (JsonNode endpoint : each.path("endpoints")) {
          int active = endpoint.path("active").asInt(0);
          if (whole || endedAddresses.contains(Json.textOr(endpoint, "", "address"))) {
            ending += active;
          } else {
            staying += active;
          }
        }
      }
    }
    return Optional.of(new ConnectionEffect(ending, staying));
  }
}
