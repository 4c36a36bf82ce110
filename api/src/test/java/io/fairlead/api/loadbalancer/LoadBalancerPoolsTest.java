package io.fairlead.api.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.LoadBalancerPools.ReservedRange;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What pools may say, in a flag and in a file, and which are refused (spec/loadbalancer.md 1).
class LoadBalancerPoolsTest {
  private record Row(String name, String pool, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> flags() {
    return Stream.of(
        new Row("a range", "lan=192.168.1.240-192.168.1.250", "lan 192.168.1.240-192.168.1.250"),
        new Row("without a name", "10.9.0.0/30", "pool 10.9.0.0-10.9.0.3"),
        new Row(
            "two families",
            "lan=192.168.1.240-192.168.1.250,fd00:1::100/120;announce=none;interfaces=eth0",
            "lan 192.168.1.240-192.168.1.250,fd00:1::100-fd00:1::1ff"),
        new Row("one address", "a=10.9.0.7", "a 10.9.0.7"),
        new Row("b before a", "a=10.9.0.7-10.9.0.6", "! 10.9.0.7-10.9.0.6 ends before it begins"),
        new Row("no address", "a=300.1.1.1-300.1.1.2", "! \"300.1.1.1-300.1.1.2\" is no range"),
        new Row("families mixed", "a=10.9.0.1-fd00::1", "! 10.9.0.1-fd00::1 mixes IPv4 and IPv6"),
        new Row("multicast", "a=224.0.0.0/28", "! 224.0.0.0-224.0.0.15 has multicast addresses"),
        new Row("loopback", "a=127.0.0.0/28", "! 127.0.0.0-127.0.0.15 has loopback addresses"),
        new Row("around loopback", "a=126.0.0.0-128.0.0.1", "! 126.0.0.0-128.0.0.1 has loopback"),
        new Row("link-local", "a=fe80::1-fe80::9", "! fe80::1-fe80::9 has link-local addresses"),
        new Row("mapped", "a=::ffff:10.0.0.1", "!"),
        new Row("unspecified", "a=0.0.0.0", "! 0.0.0.0 has unspecified addresses"),
        new Row("empty", "a=", "! \"\" is no range"),
        new Row("bad name", "A_b=10.9.0.1", "! \"A_b\" is no name of a pool"),
        new Row("bad option", "a=10.9.0.1;anounce=l2", "! \"anounce=l2\" is no option of a pool"),
        new Row("bad way", "a=10.9.0.1;announce=l3", "! announce=l3: one of l2, none, bgp"),
        new Row(
            "overlap inside", "a=10.9.0.1,10.9.0.0/30", "! 10.9.0.0-10.9.0.3 overlaps 10.9.0.1"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("flags")
  void aFlagIsReadOrRefused(Row row) {
    if (row.expected.startsWith("!")) {
      assertThatThrownBy(() -> PoolFlagReader.read(List.of(row.pool)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(row.expected.substring(1).strip());
    } else {
      assertThat(PoolFlagReader.read(List.of(row.pool)).usable().getFirst())
          .hasToString(row.expected);
    }
  }

  @Test
  void flagsAddUpAndOverlapIsRefused() {
    LoadBalancerPools pools = PoolFlagReader.read(List.of("10.9.0.0/30", "10.9.1.0/30"));
    assertThat(pools.usable()).extracting(LoadBalancerPool::name).containsExactly("pool", "pool-2");
    assertThatThrownBy(() -> PoolFlagReader.read(List.of("10.9.0.0/30", "10.9.0.2")))
        .hasMessage("pool pool-2: 10.9.0.2 overlaps 10.9.0.0-10.9.0.3 of pool pool");
    assertThat(PoolFlagReader.read(List.of("none")).isEmpty()).isTrue();
    assertThatThrownBy(() -> PoolFlagReader.read(List.of("none", "10.9.0.2")))
        .hasMessageContaining("stands alone");
  }

  @Test
  void aFileSaysEverything() {
    LoadBalancerPools pools =
        PoolFileReader.read(
            """
            pools:
            - name: lan
              addresses: [192.168.1.240-192.168.1.250, 192.168.2.0/28, "fd00:1::100/120"]
              announce: none
              autoAssign: false
              avoidEdgeAddresses: true
              interfaces: [eth0, "enp*"]
              nodeSelector: {matchLabels: {edge: "true"}}
              namespaceSelector: {matchExpressions: [{key: shop, operator: Exists}]}
              serviceSelector: {}
              priority: 10
              shareAcrossNamespaces: true
            - name: rack
              addresses: [10.9.0.0/24]
              announce: bgp
              aggregation: 24
              peers: [tor]
            peers:
            - {name: tor, address: 10.0.0.1, asn: 64512, myAsn: 64513, holdTime: 30s, bfd: false}
            """);
    assertThat(pools.refused()).isEmpty();
    LoadBalancerPool lan = pools.named("lan").orElseThrow();
    assertThat(lan.announcement()).isEqualTo(Announcement.NONE);
    assertThat(lan.autoAssign()).isFalse();
    assertThat(lan.contains(IpAddress.parse("192.168.2.0"))).isFalse();
    assertThat(lan.contains(IpAddress.parse("192.168.2.1"))).isTrue();
    assertThat(lan.admits(Map.of("shop", ""), Map.of())).isTrue();
    assertThat(lan.admits(Map.of(), Map.of())).isFalse();
    assertThat(lan.nodeSelector().matches(Map.of("edge", "true"))).isTrue();
    assertThat(pools.usable().getFirst()).isSameAs(lan);
    assertThat(pools.named("rack").orElseThrow().bgp().ipv4Length()).isEqualTo(24);
    assertThat(pools.peers().getFirst().holdSeconds()).isEqualTo(30);
    assertThat(pools.peers().getFirst().bfd()).isFalse();
  }

  static Stream<Row> documents() {
    return Stream.of(
        new Row(
            "a key that is not known",
            "pools:\n- name: lan\n  adresses: [10.9.0.1]",
            "pools.yaml line 3: unknown key \"adresses\"; did you mean \"addresses\"?"),
        new Row("another at the top", "pool: []", "pools.yaml line 1: unknown key \"pool\""),
        new Row("no list", "pools: {a: b}", "pools.yaml line 1: pools is a list"),
        new Row("no object", "pools: [a]", "pools.yaml: a pool is no object"),
        new Row("no YAML", "pools: [", "invalid YAML"),
        new Row(
            "a name twice", "pools: [{name: a, addresses: [10.9.0.1]}, {name: a}]", "two pools"),
        new Row(
            "no flag",
            "pools: [{name: a, addresses: [10.9.0.1], autoAssign: 7}]",
            "autoAssign is true or false"),
        new Row("a key twice", "pools: []\npools: []", "gives a key twice"),
        new Row(
            "a peer's name with a newline",
            "peers: [{name: \"a\\nb\", address: 10.0.0.1, asn: 1, myAsn: 2}]",
            "is no name of a peer"),
        new Row(
            "a Secret with a quote",
            "peers: [{name: a, address: 10.0.0.1, asn: 1, myAsn: 2, password: 'x/\"y'}]",
            "names a Secret: NAMESPACE/NAME"),
        new Row(
            "a peer twice",
            "peers: [{name: a, address: 10.0.0.1, asn: 1, myAsn: 2},"
                + " {name: a, address: 10.0.0.2, asn: 1, myAsn: 2}]",
            "two peers are called a"),
        new Row(
            "a hold time that BGP does not have",
            "peers: [{name: a, address: 10.0.0.1, asn: 1, myAsn: 2, holdTime: 2s}]",
            "holdTime is 3s at least"),
        new Row(
            "a community of too many bits",
            "peers: [{name: a, address: 10.0.0.1, asn: 1, myAsn: 2, communities: ['70000:1']}]",
            "is no community"),
        new Row("a peer without asn", "peers: [{name: a, address: 10.0.0.1}]", "asn is missing"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("documents")
  void aBrokenDocumentIsRefusedWhole(Row row) {
    assertThatThrownBy(() -> PoolFileReader.read(row.pool))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(row.expected);
  }

  @Test
  void anEmptyDocumentHasNoPool() {
    assertThat(PoolFileReader.read("").isEmpty()).isTrue();
    assertThat(PoolFileReader.read("pools: []").isEmpty()).isTrue();
  }

  @Test
  void oneBadPoolDoesNotDisableTheOthers() {
    LoadBalancerPools pools =
        PoolFileReader.read(
            """
            pools:
            - {name: good, addresses: [10.9.0.0/30]}
            - {name: bad, addresses: [300.1.1.1-300.1.1.2]}
            - {name: backwards, addresses: [10.9.9.9-10.9.9.1]}
            - {name: multicast, addresses: [224.0.0.0/28]}
            """);
    assertThat(pools.usable()).extracting(LoadBalancerPool::name).containsExactly("good");
    assertThat(pools.refused())
        .extracting(LoadBalancerPools.RefusedPool::name)
        .containsExactly("bad", "backwards", "multicast");
  }

  @Test
  void aPoolWithAddressesOfTheClusterIsRefused() {
    LoadBalancerPools pools =
        PoolFileReader.read(
            """
            pools:
            - {name: nodes, addresses: [192.168.77.0/24]}
            - {name: services, addresses: [10.96.4.0/24]}
            - {name: good, addresses: [192.168.78.0/24]}
            - {name: same, addresses: [192.168.78.9]}
            """);
    LoadBalancerPools checked =
        pools.checked(
            List.of(
                new ReservedRange(PoolRange.of(IpAddress.parse("192.168.77.12")), "node b"),
                new ReservedRange(PoolRange.of(IpAddress.parse("192.168.77.11")), "node a"),
                new ReservedRange(PoolRange.of(Cidr.parse("10.96.0.0/12")), "the Services")));
    assertThat(checked.usable()).extracting(LoadBalancerPool::name).containsExactly("good");
    assertThat(checked.refused().stream().map(Object::toString))
        .containsExactly(
            "pool nodes: 192.168.77.0-192.168.77.255 contains 192.168.77.11 of node a",
            "pool same: 192.168.78.9 overlaps 192.168.78.0-192.168.78.255 of pool good",
            "pool services: 10.96.4.0-10.96.4.255 contains 10.96.0.0-10.111.255.255 of the"
                + " Services");
  }

  @Test
  void aPoolInForceOutlivesWhatANodeSaysLater() {
    LoadBalancerPools pools =
        PoolFileReader.read(
            "pools: [{name: lan, addresses: [192.168.77.240-192.168.77.250]},"
                + " {name: late, addresses: [192.168.78.0/24]}]");
    LoadBalancerPools before =
        PoolFileReader.read("pools: [{name: lan, addresses: [192.168.77.240-192.168.77.242]}]");
    ReservedRange inside = new ReservedRange(PoolRange.parse("192.168.77.241"), "node a");
    ReservedRange grown = new ReservedRange(PoolRange.parse("192.168.77.245"), "node a");
    ReservedRange other = new ReservedRange(PoolRange.parse("192.168.78.9"), "node b");
    assertThat(pools.checked(List.of(), List.of(inside, other), before).refused().stream())
        .extracting(Object::toString)
        .containsExactly("pool late: 192.168.78.0-192.168.78.255 contains 192.168.78.9 of node b");
    assertThat(pools.checked(List.of(), List.of(grown), before).usable())
        .extracting(LoadBalancerPool::name)
        .containsExactly("late");
    assertThat(pools.checked(List.of(inside), List.of(), before).usable())
        .as("what is no node's to say")
        .extracting(LoadBalancerPool::name)
        .containsExactly("late");
  }

  @Test
  void aPoolForRoutersThatAreNotThereIsRefused() {
    String pools =
        "pools: [{name: a, addresses: [10.9.0.0/30], announce: bgp},"
            + " {name: b, addresses: [10.9.1.0/30], announce: bgp, peers: [tor-9]},"
            + " {name: c, addresses: [10.9.2.0/30]}]\n";
    assertThat(PoolFileReader.read(pools).withKnownPeers().refused().stream().map(Object::toString))
        .containsExactly(
            "pool a: announce is bgp, and there are no peers",
            "pool b: announce is bgp, and there are no peers");
    LoadBalancerPools known =
        PoolFileReader.read(pools + "peers: [{name: tor-1, address: 10.0.0.1, asn: 1, myAsn: 2}]")
            .withKnownPeers();
    assertThat(known.refused().stream().map(Object::toString))
        .containsExactly("pool b: there is no peer tor-9");
    assertThat(known.usable()).extracting(LoadBalancerPool::name).containsExactly("a", "c");
  }

  @Test
  void publishedPeersAreReadBackWithoutTheirPasswords() {
    LoadBalancerPools pools =
        PoolFileReader.read(
            """
            pools:
            - {name: wan, addresses: [10.9.0.0/24], announce: bgp, aggregation: 24, peers: [tor-1]}
            - {name: far, addresses: ["fd78::/112"], announce: bgp, aggregation: 112}
            peers:
            - {name: tor-1, address: 10.0.0.1, asn: 4200000000, myAsn: 64513, holdTime: 30s,
               keepaliveTime: 10s, bfd: false, password: kube-system/fairlead-bgp, ebgpMultihop: 3,
               communities: ["65000:100"], localPref: 200,
               nodeSelector: {matchExpressions: [{key: rack, operator: In, values: ["1"]}]}}
            - {name: tor-2, address: "fd77::1", asn: 64512, myAsn: 64513}
            """);
    LoadBalancerPools again = PoolFileReader.read(PoolFileWriter.write(pools));
    assertThat(again.peers()).isEqualTo(pools.peers());
    assertThat(again.named("wan").orElseThrow().bgp())
        .isEqualTo(pools.named("wan").orElseThrow().bgp());
    assertThat(again.named("far").orElseThrow().bgp())
        .isEqualTo(pools.named("far").orElseThrow().bgp());
  }

  @Test
  void aFileWinsOverFlags() {
    LoadBalancerPools flags = PoolFlagReader.read(List.of("lan=10.9.0.0/30", "b=10.9.1.0/30"));
    LoadBalancerPools file = PoolFileReader.read("pools: [{name: lan, addresses: [10.9.2.0/30]}]");
    assertThat(flags.with(file).usable().stream().map(Object::toString))
        .containsExactly("b 10.9.1.0-10.9.1.3", "lan 10.9.2.0-10.9.2.3");
    assertThat(flags.namesAlsoIn(file)).containsExactly("lan");
  }

  @Test
  void publishedPoolsAreReadBack() {
    LoadBalancerPools pools =
        PoolFileReader.read(
            """
            pools:
            - name: lan
              addresses: [192.168.1.240-192.168.1.250, "fd00:1::100/120"]
              interfaces: [eth0, "enp*"]
              autoAssign: false
              avoidEdgeAddresses: true
              priority: 7
              nodeSelector: {matchLabels: {edge: "true"},
                matchExpressions: [{key: old, operator: DoesNotExist},
                  {key: zone, operator: NotIn, values: [a, b]}]}
            - {name: routed, addresses: [10.9.0.0/24], announce: none}
            """);
    LoadBalancerPools again = PoolFileReader.read(PoolFileWriter.write(pools));
    assertThat(again.usable()).hasSize(2);
    LoadBalancerPool lan = again.named("lan").orElseThrow();
    LoadBalancerPool before = pools.named("lan").orElseThrow();
    assertThat(lan.toString()).isEqualTo(before.toString());
    assertThat(lan.interfaces()).isEqualTo(before.interfaces());
    assertThat(lan.priority()).isEqualTo(7);
    assertThat(lan.autoAssign()).isFalse();
    assertThat(lan.avoidEdgeAddresses()).isTrue();
    assertThat(lan.nodeSelector().matches(java.util.Map.of("edge", "true", "zone", "c"))).isTrue();
    assertThat(lan.nodeSelector().matches(java.util.Map.of("edge", "true", "zone", "a"))).isFalse();
    assertThat(lan.nodeSelector().matches(java.util.Map.of("edge", "true", "old", ""))).isFalse();
    assertThat(again.named("routed").orElseThrow().announcement())
        .isEqualTo(LoadBalancerPool.Announcement.NONE);
  }
}
