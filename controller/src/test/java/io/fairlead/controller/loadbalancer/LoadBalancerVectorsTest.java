package io.fairlead.controller.loadbalancer;

import static io.fairlead.client.ResourceType.CONFIG_MAPS;
import static io.fairlead.client.ResourceType.NODES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.loadbalancer.PoolFileReader;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.DeleteOptions;
import io.fairlead.controller.loadbalancer.LoadBalancerScenario.Row;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The vectors of allocation, LV1 to LV34 of spec/loadbalancer.md.
class LoadBalancerVectorsTest {
  private static final String A = "192.168.77.240";
  private static final String B = "192.168.77.241";
  private static final String C = "192.168.77.242";
  private static final String V6 = "fd77::240";
  private static final String SHARED = "{fairlead.dev/allow-shared-ip: k}";
  private static final String BOTH = "ipFamilies: [IPv4, IPv6], ipFamilyPolicy: RequireDualStack";

  static Stream<Row> standard() {
    return Stream.of(
        new Row(
            "LV1 the first Service",
            it -> {
              it.service("a");
              assertThat(it.ip("a")).isEqualTo(A);
              assertThat(it.finalizers("a")).containsExactly(BalancedService.FINALIZER);
              assertThat(it.pool("a")).isEqualTo("lan");
              it.told("EnsuringLoadBalancer", "");
              it.told("EnsuredLoadBalancer", A + " from pool lan");
              List<String> writes =
                  it.cluster.api.writes().stream()
                      .filter(one -> one.startsWith("PATCH") && one.contains("/services/"))
                      .toList();
              // Finalizer and status in one: no moment, and no crash, is between them.
              assertThat(writes)
                  .containsExactly("PATCH /api/v1/namespaces/default/services/a/status");
            }),
        new Row(
            "the pools in force are published for the nodes",
            it ->
                assertThat(PoolFileReader.read(it.published()).usable().getFirst())
                    .hasToString("lan 192.168.77.240-192.168.77.242,fd77::240-fd77::243")),
        new Row(
            "LV2 a foreign class is not touched",
            it -> {
              it.service("a", "loadBalancerClass: example.com/x");
              it.service("b", "type: ClusterIP");
              it.service("c");
              assertThat(it.ip("a")).isEmpty();
              assertThat(it.finalizers("a")).isEmpty();
              assertThat(it.ip("c")).isEqualTo(A);
              assertThat(it.cluster.api.writes())
                  .noneMatch(one -> one.startsWith("PATCH") && one.contains("/services/a"));
            }),
        new Row(
            "LV3 the fourth of three waits and is told once",
            it -> {
              it.fill();
              assertThat(List.of(it.ip("a"), it.ip("b"), it.ip("c"), it.ip("d")))
                  .containsExactly(A, B, C, "");
              it.told(
                  "SyncLoadBalancerFailed", "no address left in pool lan (3 of 3 held) (FL400)");
              assertThat(it.finalizers("d")).isEmpty();
              assertThat(it.condition("d")).isEmpty();
              it.advance(11);
              assertThat(it.condition("d")).isEqualTo("False NoAddress");
              assertThat(it.cluster.messages("SyncLoadBalancerFailed")).hasSize(1);
            }),
        new Row(
            "LV4 a released address rests before the waiting one gets it",
            it -> {
              it.fill();
              it.delete("b");
              assertThat(it.exists("b")).isFalse();
              it.told("DeletedLoadBalancer", "");
              it.advance(29);
              assertThat(it.ip("d")).isEmpty();
              it.advance(2);
              assertThat(it.ip("d")).isEqualTo(B);
              assertThat(it.condition("d")).isEqualTo("True Allocated");
            }),
        new Row(
            "LV5 the same name gets its address back at once",
            it -> {
              it.fill();
              it.delete("b");
              it.service("b");
              assertThat(it.ip("b")).isEqualTo(B);
              it.advance(40);
              assertThat(it.ip("d")).isEmpty();
            }),
        new Row(
            "LV6 type changed away and back",
            it -> {
              it.service("a");
              it.service("b");
              // The API server clears the status with the type; the fake does not.
              it.patch("b", "spec: {type: ClusterIP}");
              assertThat(it.finalizers("b")).isEmpty();
              assertThat(it.ip("b")).isEmpty();
              assertThat(it.pool("b")).isEmpty();
              it.patch("b", "spec: {type: LoadBalancer}");
              assertThat(it.ip("b")).isEqualTo(B);
              assertThat(it.finalizers("b")).containsExactly(BalancedService.FINALIZER);
            }),
        new Row(
            "LV7 loadBalancerIP",
            it -> {
              it.service("a", "loadBalancerIP: " + C);
              assertThat(it.ip("a")).isEqualTo(C);
            }),
        new Row(
            "LV8 annotation and loadBalancerIP differ",
            it -> {
              it.annotated("a", ips(C), "loadBalancerIP: " + B);
              assertThat(it.ip("a")).isEmpty();
              it.told("SyncLoadBalancerFailed", "differ (FL401)");
              it.patch("a", "spec: {loadBalancerIP: " + C + "}");
              assertThat(it.ip("a")).isEqualTo(C);
            }),
        new Row(
            "LV9 an address in no pool, then another",
            it -> {
              it.service("a", "loadBalancerIP: 192.168.77.9");
              assertThat(it.ip("a")).isEmpty();
              it.told("SyncLoadBalancerFailed", "192.168.77.9 is in no pool; pools: lan");
              it.patch("a", "spec: {loadBalancerIP: " + A + "}");
              assertThat(it.ip("a")).isEqualTo(A);
            }),
        new Row(
            "LV10 a held address is waited for, before those without a request",
            it -> {
              it.fill();
              it.service("e", "loadBalancerIP: " + A);
              it.told("SyncLoadBalancerFailed", A + " is held by default/a on 80/TCP (FL405)");
              it.delete("a");
              it.advance(31);
              assertThat(it.ip("e")).isEqualTo(A);
              assertThat(it.ip("d")).isEmpty();
            }),
        new Row(
            "LV11 RequireDualStack",
            it -> {
              it.service("a", BOTH);
              assertThat(it.ip("a")).isEqualTo(A + "," + V6);
              it.service("b", "ipFamilies: [IPv6, IPv4], ipFamilyPolicy: RequireDualStack");
              assertThat(it.ip("b")).isEqualTo("fd77::241," + B);
            }),
        new Row(
            "LV12 no IPv6 left",
            it -> {
              for (int i = 0; i < 4; i++) {
                it.service("six" + i, "ipFamilies: [IPv6]");
              }
              it.service("a", BOTH);
              assertThat(it.ip("a")).isEmpty();
              it.told("SyncLoadBalancerFailed", "(4 of 4 held) (FL400)");
              it.service("b", "ipFamilies: [IPv4, IPv6], ipFamilyPolicy: PreferDualStack");
              assertThat(it.ip("b")).isEqualTo(A);
              it.delete("a");
              it.delete("six1");
              it.advance(31);
              assertThat(it.ip("b")).isEqualTo(A + ",fd77::241");
            }),
        new Row(
            "LV13 SingleStack IPv6",
            it -> {
              it.service("a", "ipFamilies: [IPv6]");
              assertThat(it.ip("a")).isEqualTo(V6);
            }),
        new Row(
            "LV14 a second family is added",
            it -> {
              it.service("a");
              it.patch("a", "spec: {" + BOTH + "}");
              assertThat(it.ip("a")).isEqualTo(A + "," + V6);
            }),
        new Row(
            "LV15 a key: two ports of one protocol",
            it -> {
              it.annotated("a", SHARED);
              it.annotated("b", SHARED, port("TCP", 443));
              assertThat(it.ip("a")).isEqualTo(A);
              assertThat(it.ip("b")).isEqualTo(A);
            }),
        new Row(
            "LV16 a key, but the same port",
            it -> {
              it.annotated("a", SHARED);
              it.annotated("b", SHARED);
              assertThat(it.ip("b")).isEqualTo(B);
              it.annotated("c", SHARED, "loadBalancerIP: " + A);
              assertThat(it.ip("c")).isEmpty();
              it.told("SyncLoadBalancerFailed", "held by default/a on 80/TCP (FL405)");
            }),
        new Row(
            "LV17 a key with policy Local: different and equal selectors",
            it -> {
              String local = "externalTrafficPolicy: Local, ";
              it.annotated("a", SHARED, local + "selector: {app: x}");
              it.annotated("b", SHARED, local + "selector: {app: y}", port("TCP", 81));
              it.annotated("c", SHARED, local + "selector: {app: x}", port("TCP", 82));
              assertThat(it.ip("b")).isEqualTo(B);
              assertThat(it.ip("c")).isEqualTo(A);
            }),
        new Row(
            "LV18 a key: one port of two protocols",
            it -> {
              it.annotated("a", SHARED, port("TCP", 53));
              it.annotated("b", SHARED, port("UDP", 53));
              assertThat(it.ip("b")).isEqualTo(A);
            }),
        new Row(
            "LV19 a key in two namespaces",
            it -> {
              it.namespace("other");
              it.annotated("a", SHARED);
              it.inNamespace("other", "b", SHARED, port("TCP", 81));
              assertThat(it.ip("other", "b")).isEqualTo(B);
              it.pools(
                  "pools: [{name: open, addresses: [10.9.0.0/30], shareAcrossNamespaces: true}]");
              String open = "{fairlead.dev/allow-shared-ip: k, fairlead.dev/address-pool: open}";
              it.annotated("c", open);
              it.inNamespace("other", "d", open, port("TCP", 81));
              assertThat(it.ip("c")).isEqualTo("10.9.0.0");
              assertThat(it.ip("other", "d")).isEqualTo("10.9.0.0");
            }),
        new Row(
            "LV20 one of two that share goes",
            it -> {
              it.annotated("a", SHARED);
              it.annotated("b", SHARED, port("TCP", 81));
              it.delete("a");
              it.service("c");
              assertThat(it.ip("b")).isEqualTo(A);
              assertThat(it.ip("c")).isEqualTo(B);
            }),
        new Row(
            "LV21 a port that clashes costs the younger one the address",
            it -> {
              it.annotated("a", SHARED, "loadBalancerIP: " + A);
              it.annotated("b", SHARED, "loadBalancerIP: " + A, port("TCP", 81));
              assertThat(it.ip("b")).isEqualTo(A);
              it.patch(
                  "b", "spec: {ports: [{port: 81, protocol: TCP}, {port: 80, protocol: TCP}]}");
              assertThat(it.ip("a")).isEqualTo(A);
              assertThat(it.ip("b")).isEmpty();
              it.told("SyncLoadBalancerFailed", A + " is held by default/a on 80/TCP (FL405)");
            }),
        new Row(
            "LV21 also when the older one adds it",
            it -> {
              it.annotated("a", SHARED);
              it.annotated("b", SHARED, port("TCP", 81));
              it.patch(
                  "a", "spec: {ports: [{port: 81, protocol: TCP}, {port: 80, protocol: TCP}]}");
              assertThat(it.ip("a")).isEqualTo(A);
              assertThat(it.ip("b")).isEqualTo(B);
            }),
        new Row(
            "LV22 autoAssign false: only by request",
            it -> {
              it.pools("pools: [{name: few, addresses: [10.9.0.0/30], autoAssign: false}]");
              it.fill();
              assertThat(it.ip("d")).isEmpty();
              it.service("e", "loadBalancerIP: 10.9.0.3");
              it.annotated("f", "{fairlead.dev/address-pool: few}");
              assertThat(it.ip("e")).isEqualTo("10.9.0.3");
              assertThat(it.ip("f")).isEqualTo("10.9.0.0");
            }),
        new Row(
            "LV23 pools by priority and namespace",
            it -> {
              it.namespace("shop");
              it.pools(
                  """
                  pools:
                  - {name: p1, priority: 10, addresses: [10.9.0.1], namespaceSelector: {matchLabels: {name: shop}}}
                  - {name: p2, priority: 20, addresses: [10.9.1.0/28]}
                  """);
              it.service("a");
              it.inNamespace("shop", "b", "{}");
              it.inNamespace("shop", "c", "{}");
              assertThat(it.ip("a")).isEqualTo("10.9.1.0");
              assertThat(it.ip("shop", "b")).isEqualTo("10.9.0.1");
              assertThat(it.ip("shop", "c")).isEqualTo("10.9.1.1");
            }),
        new Row(
            "LV26 a pool shrinks below a held address",
            it -> {
              it.pools("pools: [{name: few, priority: 1, addresses: [10.9.0.1, 10.9.0.2]}]");
              it.service("a");
              assertThat(it.ip("a")).isEqualTo("10.9.0.1");
              it.pools("pools: [{name: few, priority: 1, addresses: [10.9.0.2]}]");
              assertThat(it.ip("a")).isEqualTo("10.9.0.1");
              it.told("AddressOutsidePools", "10.9.0.1 is in no pool any more");
              it.patch("a", "metadata: {annotations: {fairlead.dev/reassign: 'true'}}");
              assertThat(it.ip("a")).isEqualTo("10.9.0.2");
            }),
        new Row(
            "LV29 a pool with the addresses of nodes is refused",
            it -> {
              it.cluster.create(NODES, node("b", "192.168.78.12"));
              it.cluster.create(NODES, node("a", "192.168.78.11"));
              it.pools("pools: [{name: net, priority: 1, addresses: [192.168.78.0/24]}]");
              it.told(
                  "PoolRefused",
                  "pool net: 192.168.78.0-192.168.78.255 contains 192.168.78.11 of node a (FL406)");
              it.service("a");
              assertThat(it.ip("a")).isEqualTo(A);
            }),
        new Row(
            "LV30 pools that cannot be used, beside one that can",
            it -> {
              it.cluster.create(
                  io.fairlead.client.ResourceType.SERVICE_CIDRS,
                  "{metadata: {name: kubernetes}, spec: {cidrs: [10.96.0.0/12]}}");
              it.pools(
                  """
                  pools:
                  - {name: a, priority: 1, addresses: [10.96.4.0/24]}
                  - {name: b, priority: 1, addresses: [224.0.0.0/28]}
                  - {name: c, priority: 1, addresses: [300.1.1.1-300.1.1.2]}
                  - {name: d, priority: 1, addresses: [10.9.0.2-10.9.0.1]}
                  - {name: e, priority: 1, addresses: [10.9.9.1]}
                  """);
              it.told("PoolRefused", "pool a: 10.96.4.0-10.96.4.255 contains 10.96.0.0-");
              it.told("PoolRefused", "pool b: 224.0.0.0-224.0.0.15 has multicast addresses");
              it.told("PoolRefused", "pool c:");
              it.told("PoolRefused", "pool d:");
              it.service("a");
              assertThat(it.ip("a")).isEqualTo("10.9.9.1");
            }),
        new Row(
            "LV32 a conflict on the status write",
            it -> {
              AtomicInteger conflicts = new AtomicInteger();
              it.cluster.api.intercept(
                  request -> {
                    if (request.method().equals("PATCH")
                        && request.path().endsWith("/services/a/status")
                        && conflicts.getAndIncrement() < 3) {
                      throw ApiException.modified("", "services", "a");
                    }
                  });
              it.service("a");
              // One try after the other, each after its wait.
              for (int i = 0; i < 3; i++) {
                it.advance(1);
              }
              it.service("b");
              assertThat(it.ip("a")).isEqualTo(A);
              assertThat(it.ip("b")).isEqualTo(B);
              assertThat(conflicts).hasValueGreaterThan(3);
            }),
        new Row(
            "LV33 a foreign finalizer besides ours",
            it -> {
              it.service("a");
              it.patch(
                  "a",
                  "metadata: {finalizers: [example.com/mine, " + BalancedService.FINALIZER + "]}");
              it.delete("a");
              assertThat(it.finalizers("a")).containsExactly("example.com/mine");
              assertThat(it.ip("a")).isEmpty();
            }),
        new Row(
            "LV34 annotations of MetalLB, kube-vip and Cilium",
            it -> {
              it.pools("pools: [{name: few, addresses: [10.9.0.0/29], autoAssign: false}]");
              it.annotated("a", "{metallb.io/loadBalancerIPs: " + C + "}");
              it.annotated("b", "{metallb.universe.tf/loadBalancerIPs: " + B + "}");
              it.annotated("c", "{kube-vip.io/loadbalancerIPs: 10.9.0.5}");
              it.annotated("d", "{lbipam.cilium.io/ips: 10.9.0.6}");
              it.annotated("e", "{metallb.io/address-pool: few, metallb.io/allow-shared-ip: m}");
              it.annotated(
                  "f",
                  "{metallb.io/address-pool: few, metallb.io/allow-shared-ip: m}",
                  port("TCP", 81));
              assertThat(Stream.of("a", "b", "c", "d", "e", "f").map(it::ip))
                  .containsExactly(C, B, "10.9.0.5", "10.9.0.6", "10.9.0.0", "10.9.0.0");
            }),
        new Row(
            "LV28 without node ports, and with them later: the address is the same",
            it -> {
              it.service("a", "allocateLoadBalancerNodePorts: false");
              assertThat(it.ip("a")).isEqualTo(A);
              it.patch("a", "spec: {allocateLoadBalancerNodePorts: true}");
              assertThat(it.ip("a")).isEqualTo(A);
            }),
        new Row(
            "LF9 another leader writes late: no address is held twice for long",
            it -> {
              it.service("a");
              it.service("b");
              it.writeStatus("b", "{ingress: [{ip: " + A + ", ipMode: VIP}]}");
              it.cluster.settle();
              assertThat(it.ip("a")).isEqualTo(A);
              assertThat(it.ip("b")).isEqualTo(B);
            }),
        new Row(
            "LX3 addresses of the router, a node, a pod, an API server are in no pool",
            it -> {
              for (String theirs :
                  List.of("192.168.77.1", "192.168.77.11", "10.244.0.7", "10.96.0.1")) {
                String name = "asks-" + theirs.replace('.', '-');
                it.service(name, "loadBalancerIP: " + theirs);
                assertThat(it.ip(name)).as(theirs).isEmpty();
                it.told("SyncLoadBalancerFailed", theirs + " is in no pool");
              }
            }),
        new Row(
            "LX5 another namespace's key opens nothing",
            it -> {
              it.namespace("other");
              it.annotated("a", SHARED);
              it.inNamespace("other", "thief", SHARED, port("TCP", 81), "loadBalancerIP: " + A);
              assertThat(it.ip("other", "thief")).isEmpty();
              it.told("SyncLoadBalancerFailed", A + " is held by default/a on 80/TCP (FL405)");
              assertThat(it.ip("a")).isEqualTo(A);
            }),
        new Row(
            "LX4 a status written by hand is replaced",
            it -> {
              it.service("a");
              it.writeStatus("a", "{ingress: [{ip: 192.0.2.1, ipMode: VIP}, {hostname: evil}]}");
              it.cluster.settle();
              assertThat(it.ip("a")).isEqualTo(A);
              it.service("foreign", "loadBalancerClass: example.com/x");
              it.writeStatus("foreign", "{ingress: [{ip: 192.0.2.1, ipMode: VIP}]}");
              it.cluster.settle();
              assertThat(it.ip("foreign")).isEqualTo("192.0.2.1");
            }),
        new Row(
            "LX6 requests that are none",
            it -> {
              int number = 0;
              for (String bad :
                  List.of(
                      "x".repeat(20_000),
                      "10.9.0.0/24",
                      "web.example.com",
                      "192.168.077.240",
                      A + " " + B,
                      A + "," + B,
                      V6)) {
                String name = "bad" + number++;
                it.annotated(name, "{fairlead.dev/load-balancer-ips: '" + bad + "'}");
                assertThat(it.ip(name)).as(bad).isEmpty();
              }
              assertThat(it.cluster.messages("SyncLoadBalancerFailed"))
                  .allMatch(message -> message.endsWith("(FL401)") && message.length() < 300);
            }),
        new Row(
            "LF12 the ConfigMap is broken, then deleted",
            it -> {
              it.pools("pools: [{name: few, priority: 1, addresses: [10.9.0.1, 10.9.0.2]}]");
              it.service("a");
              it.pools("pols: []");
              it.told("PoolRefused", "unknown key \"pols\"; did you mean \"pools\"?");
              it.service("b");
              assertThat(it.ip("a")).isEqualTo("10.9.0.1");
              assertThat(it.ip("b")).isEqualTo("10.9.0.2");
              it.cluster.client.delete(
                  CONFIG_MAPS, LoadBalancerPoolSource.CONFIG_MAP, DeleteOptions.DEFAULT);
              it.told("AddressOutsidePools", "10.9.0.1");
              assertThat(it.ip("a")).isEqualTo("10.9.0.1");
            }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("standard")
  void holds(Row row) {
    try (LoadBalancerScenario scenario = LoadBalancerScenario.standard()) {
      row.steps().accept(scenario);
    }
  }

  private static String ips(String address) {
    return "{fairlead.dev/load-balancer-ips: " + address + "}";
  }

  private static String port(String protocol, int port) {
    return "ports: [{port: " + port + ", protocol: " + protocol + "}]";
  }

  private static String node(String name, String address) {
    return """
        metadata: {name: %s}
        status: {addresses: [{type: InternalIP, address: %s}]}
        """
        .formatted(name, address);
  }
}
