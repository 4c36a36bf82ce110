package io.fairlead.proxy.announce;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.proxy.bgp.BgpSession;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which routes a node tells which router.
class RoutePlannerTest {
  private static final IpAddress V = IpAddress.parse("10.77.0.1");
  private static final String PEERS =
      """
      peers:
      - {name: tor-1, address: 192.168.77.1, asn: 64512, myAsn: 65000}
      - {name: tor-2, address: 192.168.77.2, asn: 64512, myAsn: 65000,
         nodeSelector: {matchLabels: {rack: "2"}}}
      """;

  private static LoadBalancerPools pools(String options) {
    return PoolFileReader.read(
        "pools: [{name: wan, announce: bgp, addresses: [10.77.0.0/24, \"fd78::/120\"]"
            + options
            + "}]\n"
            + PEERS);
  }

  private static AnnouncerNode node(String labels, String ready) {
    return AnnouncerNode.of(
        ProxyTestObjects.yaml(
                """
                apiVersion: v1
                kind: Node
                metadata: {name: a, labels: {%s}}
                status: {conditions: [{type: Ready, status: "%s"}],
                  addresses: [{type: InternalIP, address: "fd77::11"},
                    {type: InternalIP, address: 192.168.77.11}]}
                """
                    .formatted(labels, ready))
            .getFirst());
  }

  private static BalancerAddresses.Carried carried(
      boolean local, LocalEndpoints endpoints, boolean anyReady) {
    return new BalancerAddresses.Carried(
        new TreeSet<>(Set.of(new ObjectKey("shop", "web"))), local, endpoints, anyReady, "");
  }

  private static Map<String, List<String>> said(RoutePlanner.Plan plan) {
    Map<String, List<String>> said = new TreeMap<>();
    for (BgpSession session : plan.configuration().sessions()) {
      said.put(session.name(), session.routes().stream().map(Object::toString).toList());
    }
    return said;
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          LV63 policy Cluster, without endpoints | false | NONE        | false | true
          LV64 Local, a ready endpoint here      | true  | READY       | true  | true
          LV64 Local, endpoints elsewhere only   | true  | NONE        | true  | false
          LV64 Local, the last endpoint is gone  | true  | NONE        | false | false
          Local, ending here and ready elsewhere | true  | TERMINATING | true  | false
          Local, ending here and none elsewhere  | true  | TERMINATING | false | true
          """)
  void aNodeAnnounces(
      String name, boolean local, LocalEndpoints here, boolean anyReady, boolean expected) {
    RoutePlanner.Plan plan =
        RoutePlanner.plan(node("", "True"), Map.of(V, carried(local, here, anyReady)), pools(""));
    assertThat(said(plan))
        .isEqualTo(Map.of("tor-1", expected ? List.of("10.77.0.1/32") : List.of()));
    assertThat(plan.routed()).isEqualTo(expected ? Set.of(V) : Set.of());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          excluded by its label | node.kubernetes.io/exclude-from-external-load-balancers: "" | True  | ''
          not ready             | rack: "1"  | False | ''
          not of the pool       | rack: "1"  | True  | ', nodeSelector: {matchLabels: {rack: "2"}}'
          """)
  void aNodeThatMayNotAnnounceKeepsItsSessionsAndSaysNothing(
      String name, String labels, String ready, String options) {
    RoutePlanner.Plan plan =
        RoutePlanner.plan(
            node(labels, ready),
            Map.of(V, carried(false, LocalEndpoints.NONE, false)),
            pools(options));
    assertThat(said(plan)).isEqualTo(Map.of("tor-1", List.of()));
  }

  @Test
  void routersAreThoseOfTheNodeAndOfThePool() {
    Map<IpAddress, BalancerAddresses.Carried> all =
        Map.of(V, carried(false, LocalEndpoints.NONE, false));
    assertThat(said(RoutePlanner.plan(node("rack: \"2\"", "True"), all, pools(""))))
        .isEqualTo(Map.of("tor-1", List.of("10.77.0.1/32"), "tor-2", List.of("10.77.0.1/32")));
    assertThat(said(RoutePlanner.plan(node("rack: \"2\"", "True"), all, pools(", peers: [tor-2]"))))
        .isEqualTo(Map.of("tor-2", List.of("10.77.0.1/32")));
  }

  @Test
  void addressesOfOneNetworkAreOneRoute() {
    Map<IpAddress, BalancerAddresses.Carried> two =
        Map.of(
            V,
            carried(false, LocalEndpoints.NONE, false),
            V.next(),
            carried(false, LocalEndpoints.NONE, false),
            IpAddress.parse("fd78::1"),
            carried(false, LocalEndpoints.NONE, false));
    assertThat(said(RoutePlanner.plan(node("", "True"), two, pools(", aggregation: 24"))))
        .isEqualTo(Map.of("tor-1", List.of("10.77.0.0/24", "fd78::1/128")));
    assertThat(said(RoutePlanner.plan(node("", "True"), two, pools(", aggregation: 120"))))
        .isEqualTo(Map.of("tor-1", List.of("10.77.0.1/32", "10.77.0.2/32", "fd78::/120")));
  }

  @Test
  void addressesOfOtherPoolsAreNotForRouters() {
    LoadBalancerPools lan =
        PoolFileReader.read("pools: [{name: lan, addresses: [10.77.0.0/24]}]\n" + PEERS);
    assertThat(
            RoutePlanner.plan(
                    node("", "True"), Map.of(V, carried(false, LocalEndpoints.NONE, false)), lan)
                .configuration()
                .sessions())
        .isEmpty();
  }

  @Test
  void theRoutersIdIsTheNodesIpv4AddressOrMadeOfItsName() {
    assertThat(RoutePlanner.plan(node("", "True"), Map.of(), pools("")).configuration().routerId())
        .hasToString("192.168.77.11");
    AnnouncerNode bare = new AnnouncerNode(node("", "True").metadata(), "");
    IpAddress made = RoutePlanner.plan(bare, Map.of(), pools("")).configuration().routerId();
    assertThat(made.isIpv4()).isTrue();
    assertThat(made.isUnspecified()).isFalse();
  }
}
