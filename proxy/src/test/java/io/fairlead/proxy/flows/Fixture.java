package io.fairlead.proxy.flows;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The node, its clients and the Services of the flow table, in one family and for one protocol.
public record Fixture(IpAddress.Family family, Protocol protocol) {
  public static final int TARGET_PORT = 8080;

  /// One Service of the fixture.
  ///
  /// @param number the last part of its addresses
  /// @param nodePort 0 for none
  /// @param places `l` for a load balancer address, `x` for an external one
  /// @param traits `etp`, `itp` for Local policies, `sticky`, `range`, `node` (a range with the
  ///   node's own address)
  private record Row(
      String name, int number, int nodePort, String places, String traits, List<String> endpoints) {
    boolean is(String trait) {
      return List.of(traits.split(" ")).contains(trait);
    }
  }

  private static final List<Row> ROWS =
      List.of(
          new Row("cart", 1, 0, "", "", List.of("L1", "R1")),
          new Row("web", 2, 30080, "lx", "", List.of("L1", "R1")),
          new Row("local", 3, 30081, "lx", "etp", List.of("L1", "R1")),
          new Row("remote", 4, 30082, "l", "etp", List.of("R1")),
          new Row("itp", 5, 30083, "", "itp", List.of("L1", "R1")),
          new Row("itpnone", 6, 0, "", "itp", List.of("R1")),
          new Row("empty", 7, 30084, "lx", "", List.of()),
          new Row("fw", 8, 30085, "l", "range", List.of("L1")),
          new Row("sticky", 9, 0, "", "sticky", List.of("L1", "L2", "R1")),
          new Row("fwnode", 10, 0, "l", "range node", List.of("L1")),
          new Row("hair", 11, 0, "", "", List.of("L1")));

  private static final Map<String, Integer> ENDPOINTS = Map.of("L1", 11, "L2", 12, "R1", 11);

  private boolean ipv4() {
    return family == IpAddress.Family.IPV4;
  }

  private IpAddress address(String ipv4, String ipv6) {
    return IpAddress.parse(ipv4() ? ipv4 : ipv6);
  }

  public IpAddress endpoint(String name) {
    Integer number = ENDPOINTS.get(name);
    String subnet = name.startsWith("L") ? "1" : "2";
    return address("10.64." + subnet + "." + number, "fd00:64:" + subnet + "::" + number);
  }

  /// The source address of an origin.
  public IpAddress source(Origin origin) {
    return switch (origin) {
      case POD -> address("10.64.1.20", "fd00:64:1::20");
      case L1 -> endpoint("L1");
      case NODE -> address("192.0.2.10", "2001:db8:2::10");
      case EXTERNAL -> address("203.0.113.5", "2001:db8:203::5");
      case BAD -> address("203.0.113.250", "2001:db8:203::fa");
      case VIP -> numbered("198.18.0.", "2001:db8:18::", 10);
    };
  }

  public IpAddress secondNodeAddress() {
    return address("192.0.2.11", "2001:db8:2::11");
  }

  /// The address a destination stands for.
  public IpAddress address(Destination to) {
    return switch (to.place()) {
      case CLUSTER_IP ->
          to.service().equals("dns")
              ? numbered("10.112.0.", "fd00:112::", 12)
              : numbered("10.112.0.", "fd00:112::", row(to).number);
      case LOAD_BALANCER -> numbered("198.18.0.", "2001:db8:18::", row(to).number);
      case EXTERNAL_IP -> numbered("198.18.1.", "2001:db8:19::", row(to).number);
      case PRIMARY -> source(Origin.NODE);
      case SECOND -> secondNodeAddress();
      case LOCALHOST -> address("127.0.0.1", "::1");
      case UNALLOCATED -> address("10.112.9.9", "fd00:112::909");
    };
  }

  /// The port a destination stands for.
  public int port(Destination to) {
    if (to.port() >= 0) {
      return to.port();
    }
    return switch (to.place()) {
      case CLUSTER_IP, LOAD_BALANCER, EXTERNAL_IP, UNALLOCATED -> 80;
      case PRIMARY, SECOND, LOCALHOST -> row(to).nodePort;
    };
  }

  public Protocol protocol(Destination to) {
    Protocol own = to.protocol();
    return own == null ? protocol : own;
  }

  private static Row row(Destination to) {
    return ROWS.stream()
        .filter(row -> row.name.equals(to.service()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no service " + to.service()));
  }

  private IpAddress numbered(String ipv4, String ipv6, int number) {
    return address(ipv4 + number, ipv6 + number);
  }

  /// The node as a setup configures its proxy.
  public NodeFacts node(Setup setup) {
    NodeFacts node =
        NodeFacts.of("node-a", source(Origin.NODE))
            .withZone("z1")
            .withDetector(
                new LocalDetector.Source(Cidr.parse(ipv4() ? "10.64.0.0/14" : "fd00:64::/32")))
            .withServiceCidrs(List.of(Cidr.parse(ipv4() ? "10.112.0.0/16" : "fd00:112::/112")));
    return switch (setup) {
      case STANDARD -> node;
      case NO_DETECTOR -> node.withDetector(new LocalDetector.None());
      case MASQUERADE_ALL -> node.withMasqueradeAll(true);
      case PRIMARY_NODE_PORTS ->
          node.withNodePortAddresses(new NodePortAddresses.Only(List.of(source(Origin.NODE))));
      case NO_LOCALHOST -> node.withLocalhostNodePorts(false);
    };
  }

  public Plan plan(Setup setup) {
    return ProxyTestObjects.plan(node(setup), objects());
  }

  /// The Services and slices, as the API holds them.
  public List<ObjectNode> objects() {
    List<ObjectNode> objects = new ArrayList<>();
    for (Row row : ROWS) {
      objects.add(service(row));
      objects.add(slice(row.name, row.endpoints, List.of(port("http", TARGET_PORT, protocol))));
    }
    objects.add(dns());
    objects.add(
        slice(
            "dns",
            List.of("L1"),
            List.of(
                port("udp", 53, Protocol.UDP),
                port("tcp", 5353, Protocol.TCP),
                port("sctp", 54, Protocol.SCTP))));
    return objects;
  }

  private ObjectNode service(Row row) {
    Destination anywhere = Destination.of(row.name, Destination.Place.CLUSTER_IP);
    ObjectNode service = object("v1", "Service", row.name);
    ObjectNode spec = service.putObject("spec");
    IpAddress clusterIp = address(anywhere);
    spec.put("clusterIP", clusterIp.toString());
    spec.putArray("clusterIPs").add(clusterIp.toString());
    spec.putArray("ipFamilies").add(family.toString());
    spec.put(
        "type",
        row.places.contains("l") ? "LoadBalancer" : row.nodePort != 0 ? "NodePort" : "ClusterIP");
    spec.put("externalTrafficPolicy", row.is("etp") ? "Local" : "Cluster");
    spec.put("internalTrafficPolicy", row.is("itp") ? "Local" : "Cluster");
    if (row.is("etp")) {
      spec.put("healthCheckNodePort", row.number == 3 ? 32001 : 32002);
    }
    if (row.is("sticky")) {
      spec.put("sessionAffinity", "ClientIP");
      spec.putObject("sessionAffinityConfig").putObject("clientIP").put("timeoutSeconds", 10800);
    }
    if (row.places.contains("x")) {
      spec.putArray("externalIPs")
          .add(address(Destination.of(row.name, Destination.Place.EXTERNAL_IP)).toString());
    }
    if (row.is("range")) {
      var ranges = spec.putArray("loadBalancerSourceRanges");
      if (row.is("node")) {
        ranges.add(ipv4() ? "192.0.2.0/24" : "2001:db8:2::/64");
      }
      ranges.add(ipv4() ? "203.0.113.0/25" : "2001:db8:203::/121");
    }
    ObjectNode port = spec.putArray("ports").addObject();
    port.put("name", "http").put("port", 80).put("protocol", protocol.name());
    if (row.nodePort != 0) {
      port.put("nodePort", row.nodePort);
    }
    if (row.places.contains("l")) {
      service
          .putObject("status")
          .putObject("loadBalancer")
          .putArray("ingress")
          .addObject()
          .put("ip", address(Destination.of(row.name, Destination.Place.LOAD_BALANCER)).toString());
    }
    return service;
  }

  private ObjectNode dns() {
    ObjectNode service = object("v1", "Service", "dns");
    ObjectNode spec = service.putObject("spec");
    spec.put("clusterIP", address(Destination.of("dns", Destination.Place.CLUSTER_IP)).toString());
    spec.put("type", "ClusterIP");
    var ports = spec.putArray("ports");
    for (Protocol each : Protocol.values()) {
      ports.addObject().put("name", each.lower()).put("port", 53).put("protocol", each.name());
    }
    return service;
  }

  private ObjectNode slice(String service, List<String> endpoints, List<ObjectNode> ports) {
    ObjectNode slice = object("discovery.k8s.io/v1", "EndpointSlice", service + "-1");
    Json.child(slice, "metadata").putObject("labels").put("kubernetes.io/service-name", service);
    slice.put("addressType", family.toString());
    ports.forEach(slice.withArray("ports")::add);
    var list = slice.putArray("endpoints");
    for (String endpoint : endpoints) {
      ObjectNode entry = list.addObject();
      entry.putArray("addresses").add(endpoint(endpoint).toString());
      entry.put("nodeName", endpoint.startsWith("L") ? "node-a" : "node-b");
      entry.putObject("conditions").put("ready", true);
    }
    return slice;
  }

  private static ObjectNode port(String name, int port, Protocol protocol) {
    return Json.object().put("name", name).put("port", port).put("protocol", protocol.name());
  }

  private static ObjectNode object(String apiVersion, String kind, String name) {
    ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
    object.putObject("metadata").put("namespace", "shop").put("name", name);
    return object;
  }
}
