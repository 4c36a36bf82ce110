package io.fairlead.agent.routes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.RawObject;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What the kernel is told about other nodes, in the words of `ip`.
class RoutePlanTest {
  private static final Underlay LAN =
      new Underlay(
          List.of(
              new Underlay.Connected(Cidr.parse("127.0.0.1/8"), 1, 65536),
              new Underlay.Connected(Cidr.parse("192.168.77.11/24"), 2, 1500),
              new Underlay.Connected(Cidr.parse("fd77::11/64"), 2, 1500)));
  private static final IpAddress SELF = IpAddress.parse("192.168.77.11");
  private static final int TUNNEL = 9;

  private static final String NEAR =
      """
      metadata:
        name: near
        annotations: {fairlead.dev/vtep: '{"mac":"0a:00:00:00:00:02","ip":"192.168.77.12"}'}
      spec: {podCIDRs: ["10.244.2.0/24", "fd00:244:2::/64"]}
      status:
        addresses:
        - {type: Hostname, address: near}
        - {type: InternalIP, address: 192.168.77.12}
        - {type: InternalIP, address: "fd77::12"}
      """;
  private static final String FAR =
      """
      metadata:
        name: far
        annotations: {fairlead.dev/vtep: '{"mac":"0a:00:00:00:00:03","ip":"172.16.0.3"}'}
      spec: {podCIDRs: ["10.244.3.0/24"]}
      status: {addresses: [{type: InternalIP, address: 172.16.0.3}]}
      """;
  private static final String NEW =
      """
      metadata: {name: new}
      status: {addresses: [{type: InternalIP, address: 192.168.77.14}]}
      """;
  private static final String OURSELVES_AGAIN =
      """
      metadata: {name: twin}
      spec: {podCIDRs: ["10.244.5.0/24"]}
      status: {addresses: [{type: InternalIP, address: 192.168.77.11}]}
      """;
  private static final String GARBLED =
      """
      metadata: {name: garbled, annotations: {fairlead.dev/vtep: '{"mac":"nonsense","ip":"x"}'}}
      spec: {podCIDRs: ["nonsense", "10.244.6.0/24"]}
      status: {addresses: [{type: InternalIP, address: nonsense}]}
      """;

  private static final String DIRECT =
      """
      route 10.244.2.0/24 via 192.168.77.12 dev 2
      route fd00:244:2:0:0:0:0:0/64 via fd77:0:0:0:0:0:0:12 dev 2
      """;
  private static final String TUNNELS =
      """
      route 10.244.2.0/24 via 10.244.2.0 dev 9 onlink
      route fd00:244:2:0:0:0:0:0/64 via fd00:244:2:0:0:0:0:0 dev 9 onlink
      neighbour 10.244.2.0 is 0a:00:00:00:00:02 dev 9
      neighbour fd00:244:2:0:0:0:0:0 is 0a:00:00:00:00:02 dev 9
      forward 0a:00:00:00:00:02 to 192.168.77.12 dev 9
      """;
  private static final String TUNNEL_TO_FAR =
      """
      route 10.244.3.0/24 via 10.244.3.0 dev 9 onlink
      neighbour 10.244.3.0 is 0a:00:00:00:00:03 dev 9
      forward 0a:00:00:00:00:03 to 172.16.0.3 dev 9
      """;

  private record Row(String name, RouteMode mode, List<String> nodes, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("routes to a node of both families", RouteMode.ROUTES, List.of(NEAR), DIRECT),
        new Row("tunnels to a node of both families", RouteMode.VXLAN, List.of(NEAR), TUNNELS),
        new Row("none: nothing", RouteMode.NONE, List.of(NEAR, FAR), ""),
        new Row(
            "auto: routes on the same network, tunnels elsewhere",
            RouteMode.AUTO,
            List.of(NEAR, FAR),
            DIRECT + TUNNEL_TO_FAR),
        new Row("a node without a range yet: nothing", RouteMode.VXLAN, List.of(NEW), ""),
        new Row(
            "routes to a node elsewhere: said to be out of reach",
            RouteMode.ROUTES,
            List.of(FAR),
            "out of reach 10.244.3.0/24 of node far: 172.16.0.3 is on no network of this node;"
                + " use --route-mode=auto or vxlan on all nodes\n"),
        new Row(
            "a node with our own address: no route to ourselves",
            RouteMode.ROUTES,
            List.of(OURSELVES_AGAIN),
            "out of reach 10.244.5.0/24 of node twin: 192.168.77.11 is on no network of this node;"
                + " use --route-mode=auto or vxlan on all nodes\n"),
        new Row(
            "a node that publishes nonsense",
            RouteMode.VXLAN,
            List.of(GARBLED),
            "out of reach 10.244.6.0/24 of node garbled: the node has published no end of a"
                + " tunnel yet\n"),
        new Row(
            "routes to a node that publishes nonsense",
            RouteMode.ROUTES,
            List.of(GARBLED),
            "out of reach 10.244.6.0/24 of node garbled: the node has no IPv4 address;"
                + " use --route-mode=auto or vxlan on all nodes\n"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void whatTheKernelIsTold(Row row) {
    List<PeerNode> peers =
        row.nodes.stream()
            .map(yaml -> PeerNode.of(RawObject.of((ObjectNode) Yaml.parse(yaml))))
            .toList();
    RoutePlan plan = RoutePlan.of(row.mode, peers, LAN, TUNNEL, SELF);
    assertThat(lines(plan)).containsExactlyInAnyOrderElementsOf(row.expected.lines().toList());
    assertThat(plan.routes()).allMatch(route -> route.protocol() == RoutePlan.PROTOCOL);
  }

  private static List<String> lines(RoutePlan plan) {
    return Stream.of(
            plan.routes().stream()
                .map(
                    route ->
                        "route "
                            + route.destination()
                            + " via "
                            + String.valueOf(route.gateway()).substring(1)
                            + " dev "
                            + route.link()
                            + (route.onLink() ? " onlink" : "")),
            plan.neighbours().stream()
                .map(
                    one ->
                        "neighbour "
                            + one.address().getHostAddress()
                            + " is "
                            + one.hardware()
                            + " dev "
                            + one.link()),
            plan.forwarding().stream()
                .map(
                    one ->
                        "forward "
                            + one.hardware()
                            + " to "
                            + one.machine().getHostAddress()
                            + " dev "
                            + one.link()),
            plan.unreachable().stream().map(why -> "out of reach " + why))
        .flatMap(lines -> lines)
        .toList();
  }

  @Test
  void theEndOfATunnelIsReadAsItIsPublished() {
    PeerNode near = PeerNode.of(RawObject.of((ObjectNode) Yaml.parse(NEAR)));
    VxlanTunnelEndpoint end = near.tunnelEnd().orElseThrow();
    assertThat(VxlanTunnelEndpoint.of(end.text())).contains(end);
    assertThat(near.published()).isEqualTo(end.text());
    assertThat(VxlanTunnelEndpoint.of("{")).isEmpty();
    assertThat(VxlanTunnelEndpoint.of("[]")).isEmpty();
  }
}
