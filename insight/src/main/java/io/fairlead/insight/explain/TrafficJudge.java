package io.fairlead.insight.explain;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Service;
import io.fairlead.insight.evidence.ServiceEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// What traffic policies, hints and source ranges do to the traffic of one client or node. By the
/// rules of the proxy's planner: source `model`.
final class TrafficJudge {
  /// Looking at more nodes costs more than it says.
  private static final int NODES = 100;

  private final ServiceCase asked;

  TrafficJudge(ServiceCase asked) {
    this.asked = asked;
  }

  void judge(List<Finding> findings) {
    local(findings);
    sourceRanges().ifPresent(findings::add);
    hints(findings);
    nodePort().ifPresent(findings::add);
  }

  private Set<String> nodesWithEndpoints() {
    Set<String> nodes = new TreeSet<>();
    asked.used().forEach(each -> nodes.add(each.node()));
    nodes.remove("");
    return nodes;
  }

  /// Policy Local on nodes without a pod.
  private void local(List<Finding> findings) {
    V1Service.Spec spec = asked.service().spec().spec();
    boolean outside = isExternalFront();
    String policy = outside ? spec.externalTrafficPolicy() : spec.internalTrafficPolicy();
    Set<String> having = nodesWithEndpoints();
    // From inside of the cluster an outer address goes anywhere.
    boolean inside = asked.evidence().client().flatMap(ServiceEvidence.Client::pod).isPresent();
    if (!policy.equals("Local") || having.isEmpty() || (outside && inside)) {
      return;
    }
    Optional<String> here = asked.evidence().client().map(ServiceEvidence.Client::node);
    List<String> lacking = new ArrayList<>();
    for (V1Node node : asked.objects().nodes().value().orElse(List.of())) {
      String name = node.metadata().name();
      if (!having.contains(name) && here.map(name::equals).orElse(!outside)) {
        lacking.add(name);
      }
    }
    for (String node : lacking.subList(0, Math.min(lacking.size(), NODES))) {
      Finding found =
          RulesRow.onNode(
              asked,
              FindingCode.FL144,
              Source.MODEL,
              node,
              "others",
              Words.list(having),
              "port",
              Integer.toString(spec.healthCheckNodePort()));
      findings.add(here.isPresent() ? found : found.as(Severity.WARNING));
    }
  }

  private boolean isExternalFront() {
    String front = asked.evidence().front();
    return !front.isEmpty() && !asked.service().clusterIps().contains(front);
  }

  /// A client that the load balancer's address does not take.
  private Optional<Finding> sourceRanges() {
    List<String> ranges = asked.service().spec().spec().loadBalancerSourceRanges();
    boolean balancer =
        asked.service().spec().ingress().stream()
            .anyMatch(one -> one.ip().equals(asked.evidence().front()));
    if (ranges.isEmpty() || !balancer) {
      return Optional.empty();
    }
    return asked
        .evidence()
        .client()
        .filter(client -> addresses(client).stream().noneMatch(own -> isIn(ranges, own)))
        .map(
            client ->
                Finding.of(
                    FindingCode.FL161,
                    asked.subject(),
                    Source.MODEL,
                    asked.values(
                        "address",
                        asked.evidence().front(),
                        "ranges",
                        String.join(", ", ranges),
                        "client",
                        client.name())));
  }

  private List<IpAddress> addresses(ServiceEvidence.Client client) {
    List<IpAddress> addresses = new ArrayList<>();
    client
        .pod()
        .ifPresent(
            pod ->
                pod.path("status")
                    .path("podIPs")
                    .forEach(each -> add(each.path("ip").asString(""), addresses)));
    if (client.pod().isEmpty()) {
      asked.objects().nodes().value().orElse(List.of()).stream()
          .filter(node -> node.metadata().name().equals(client.node()))
          .flatMap(node -> node.addresses("InternalIP").stream())
          .forEach(each -> add(each, addresses));
    }
    return addresses;
  }

  private static void add(String text, List<IpAddress> addresses) {
    IpAddress address = IpAddress.parseLenientOrNull(text);
    if (address != null) {
      addresses.add(address);
    }
  }

  private static boolean isIn(List<String> ranges, IpAddress address) {
    return ranges.stream()
        .map(text -> Cidr.parseLenientOrNull(text.strip()))
        .anyMatch(range -> range != null && range.contains(address));
  }

  /// Hints that leave a zone with one endpoint of many. Hints count only where every used endpoint
  /// has one and some endpoint is hinted to the zone, as for the proxy.
  private void hints(List<Finding> findings) {
    Map<String, Integer> used = new TreeMap<>();
    int ready = 0;
    for (V1EndpointSlice slice : asked.objects().slices().value().orElse(List.of())) {
      for (V1EndpointSlice.Endpoint endpoint : slice.endpoints()) {
        if (Boolean.FALSE.equals(endpoint.ready())) {
          continue;
        }
        if (endpoint.forZones().isEmpty()) {
          return;
        }
        ready++;
        endpoint.forZones().forEach(zone -> used.merge(zone, 1, Integer::sum));
      }
    }
    if (ready < 2) {
      return;
    }
    for (V1Node node : asked.objects().nodes().value().orElse(List.of())) {
      String zone = node.metadata().labels().getOrDefault(V1Node.ZONE_LABEL, "");
      Integer count = used.get(zone);
      if (!zone.isEmpty() && count != null && count <= 1 && findings.size() < NODES) {
        findings.add(
            RulesRow.onNode(
                asked,
                FindingCode.FL163,
                Source.MODEL,
                node.metadata().name(),
                "used",
                Integer.toString(count),
                "ready",
                Integer.toString(ready),
                "why",
                "hints"));
      }
    }
  }

  /// A node port asked for at an address where the mode does not serve it.
  private Optional<Finding> nodePort() {
    String front = asked.evidence().front();
    IpAddress address = IpAddress.parseOrNull(front);
    Optional<V1Service.Port> port =
        asked.asked().stream().filter(each -> each.nodePort() > 0).findFirst();
    if (address == null || !address.isLoopback() || port.isEmpty()) {
      return Optional.empty();
    }
    return asked.evidence().nodes().entrySet().stream()
        .flatMap(
            node ->
                node.getValue().about().value().stream()
                    .filter(about -> about.mode().equals("nftables") || about.mode().equals("ipvs"))
                    .map(about -> Map.entry(node.getKey(), about.mode())))
        .findFirst()
        .map(
            node ->
                RulesRow.onNode(
                    asked,
                    FindingCode.FL149,
                    Source.MODEL,
                    node.getKey(),
                    "port",
                    Integer.toString(port.get().nodePort()),
                    "address",
                    front,
                    "mode",
                    node.getValue(),
                    "primary",
                    primary(node.getKey())));
  }

  private String primary(String name) {
    return asked.objects().nodes().value().orElse(List.of()).stream()
        .filter(node -> node.metadata().name().equals(name))
        .flatMap(node -> node.addresses("InternalIP").stream())
        .findFirst()
        .orElse(name);
  }
}
