package io.fairlead.proxy.testing;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Scenarios recorded from the original: objects in, rules out.
///
/// @param steps the directories of its states, in order
public record GoldenScenario(String name, List<String> flags, List<String> steps) {
  private static final List<String> NAMES =
      List.of(
          "affinity",
          "clusterip-2",
          "counts",
          "detect-bridge",
          "detect-nodecidr",
          "dual-stack",
          "etp-local",
          "etp-local-remote",
          "externalips",
          "fixture",
          "itp-local",
          "itp-local-none",
          "large-cluster",
          "lb-source-ranges",
          "lb-vip",
          "masquerade-all",
          "multiport",
          "no-detector",
          "no-endpoints",
          "nodeport",
          "nodeport-addresses",
          "nothing",
          "protocols",
          "seed-hostnames",
          "seed-hostnames-unnamed",
          "seed-nginx-svc",
          "shared-endpoint",
          "t-empty-fill-empty",
          "t-endpoint-move",
          "t-proxy-name",
          "t-service-delete",
          "t-type-change",
          "terminating",
          "zone-hints");

  /// All of them.
  public static Stream<GoldenScenario> all() {
    return NAMES.stream().map(GoldenScenario::of);
  }

  public static GoldenScenario of(String name) {
    JsonNode scenario = Yaml.parse(ProxyTestObjects.resource("golden/" + name + "/scenario.yaml"));
    List<String> flags = new ArrayList<>();
    scenario.path("extraFlags").forEach(flag -> flags.add(flag.asString("")));
    List<String> steps = new ArrayList<>();
    if (ProxyTestObjects.hasResource("golden/" + name + "/objects.yaml")) {
      steps.add("golden/" + name + "/");
    }
    for (int i = 0;
        ProxyTestObjects.hasResource("golden/" + name + "/" + i + "/objects.yaml");
        i++) {
      steps.add("golden/" + name + "/" + i + "/");
    }
    return new GoldenScenario(name, flags, steps);
  }

  public List<ObjectNode> objects(String step) {
    return ProxyTestObjects.yaml(ProxyTestObjects.resource(step + "objects.yaml"));
  }

  /// The rules the original had written.
  public String rules(String step, IpAddress.Family family) {
    return ProxyTestObjects.resource(
        step + (family == IpAddress.Family.IPV4 ? "iptables.txt" : "ip6tables.txt"));
  }

  /// The node the recording was made on, with the flags of the scenario.
  public NodeFacts node(IpAddress.Family family) {
    boolean ipv4 = family == IpAddress.Family.IPV4;
    NodeFacts node =
        NodeFacts.of("node-a", IpAddress.parse(ipv4 ? "192.0.2.10" : "2001:db8:2::10"))
            .withZone("z1")
            .withDetector(source(ipv4 ? "10.64.0.0/14" : "fd00:64::/32"));
    for (String flag : flags) {
      node =
          switch (flag) {
            case "--detect-local-mode=BridgeInterface" -> node;
            case "--pod-bridge-interface=cni0" ->
                node.withDetector(new LocalDetector.Bridge("cni0"));
            case "--detect-local-mode=NodeCIDR" ->
                node.withDetector(source(ipv4 ? "10.64.1.0/24" : "fd00:64:1::/64"));
            case "--masquerade-all=true" -> node.withMasqueradeAll(true);
            case "--cluster-cidr=" -> node.withDetector(new LocalDetector.None());
            case "--cluster-cidr=10.0.0.0/8" ->
                node.withDetector(ipv4 ? source("10.0.0.0/8") : new LocalDetector.None());
            case "--nodeport-addresses=192.0.2.10/32,127.0.0.0/8" ->
                ipv4
                    ? node.withNodePortAddresses(
                        new NodePortAddresses.Only(
                            List.of(IpAddress.parse("192.0.2.10"), IpAddress.parse("127.0.0.1"))))
                    : node;
            default -> throw new IllegalArgumentException(name + ": unknown flag " + flag);
          };
    }
    return node;
  }

  private static LocalDetector source(String cidr) {
    return new LocalDetector.Source(Cidr.parse(cidr));
  }

  /// The ranges of cluster IPs at that moment.
  public List<Cidr> serviceCidrs(String step, IpAddress.Family family) {
    List<Cidr> ranges = new ArrayList<>();
    for (ObjectNode object : objects(step)) {
      if (Json.textOr(object, "", "kind").equals("ServiceCIDR")) {
        object
            .path("spec")
            .path("cidrs")
            .forEach(
                text -> {
                  Cidr range = Cidr.parse(text.asString(""));
                  if (range.family() == family) {
                    ranges.add(range);
                  }
                });
      }
    }
    return ranges;
  }

  @Override
  public String toString() {
    return name;
  }
}
