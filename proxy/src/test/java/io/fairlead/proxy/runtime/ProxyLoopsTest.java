package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.ConntrackTable.Socket;
import io.fairlead.proxy.conntrack.ConntrackTable.UdpFlow;
import io.fairlead.proxy.testing.ProxyTestObjects;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// A step of any loop of the proxy may throw what nothing expects: the loop goes on, and no change
/// is lost.
class ProxyLoopsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-a}
      status: {addresses: [{type: InternalIP, address: 192.0.2.10}]}
      """;

  private TestProxy test;

  @BeforeEach
  void start() throws InterruptedException {
    test = new TestProxy();
    test.apply(ProxyTestObjects.yaml(NODE));
    test.start();
    await().atMost(LIMIT).until(test.proxy::isReady);
  }

  @AfterEach
  void close() {
    test.close();
  }

  private static ObjectNode service(String name, int number, String protocol) {
    return ProxyTestObjects.yaml(
            """
            apiVersion: v1
            kind: Service
            metadata: {namespace: shop, name: %s}
            spec: {clusterIP: 10.112.0.%d, type: ClusterIP,
              ports: [{name: h, port: 80, protocol: %s}]}
            """
                .formatted(name, number, protocol))
        .getFirst();
  }

  private static LoopStatus status(String kind) {
    return LoopRegistry.statuses().stream()
        .filter(each -> each.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private boolean hasRulesOf(String service) {
    return test.rules("filter", "KUBE-SERVICES", "shop/" + service + ":h has no endpoints") == 1;
  }

  /// What is done to a proxy and how its effect shows.
  private record Row(String loop, Work disturb, Check works) {
    interface Work {
      void on(TestProxy test);
    }

    interface Check {
      boolean holds(ProxyLoopsTest in);
    }

    @Override
    public String toString() {
      return loop;
    }
  }

  static Stream<Row> loops() {
    return Stream.of(
        new Row(
            FamilyReconciler.LOOP,
            test -> test.apply(service("later", 2, "TCP")),
            in -> in.hasRulesOf("later")),
        new Row(
            "proxy-conntrack",
            test -> {
              Socket stale = new Socket(IpAddress.parse("10.112.0.3"), 80);
              Socket gone = new Socket(IpAddress.parse("10.64.1.11"), 8080);
              test.flows.flows.add(new UdpFlow(stale, gone, "entry"));
              test.apply(service("udp", 3, "UDP"));
              await().atMost(LIMIT).until(() -> test.rules("filter", "KUBE-SERVICES", "udp") == 1);
              test.delete(ProxyInformers.SERVICES, "shop", "udp");
            },
            in -> in.test.flows.dumps > 0),
        new Row(
            "iptables-canary",
            test -> test.tool.flush(),
            in -> !in.test.tool.rules("nat", "KUBE-POSTROUTING").isEmpty()),
        new Row("proxy-report", _ -> {}, _ -> true));
  }

  @ParameterizedTest
  @MethodSource("loops")
  void aLoopGoesOnAfterAFailureNothingExpects(Row row) {
    long restarts = status(row.loop).restarts();
    long steps = status(row.loop).steps();
    assertThat(LoopFaults.failOnce(row.loop)).isEqualTo(1);
    row.disturb.on(test);
    await().atMost(LIMIT).until(() -> status(row.loop).restarts() > restarts);
    await().atMost(LIMIT).until(() -> row.works.holds(this));
    await().atMost(LIMIT).until(() -> status(row.loop).failingSince() == null);
    assertThat(status(row.loop).steps()).isGreaterThanOrEqualTo(steps);
  }

  /// The fault comes out of the middle of a sync, after the changes were taken from the state.
  @Test
  void aSyncThatThrowsWhatNothingExpectsIsTriedAgainWithItsChange() {
    long restarts = status(FamilyReconciler.LOOP).restarts();
    test.tool.throwOnce(new StackOverflowError("injected"));
    test.apply(service("kept", 4, "TCP"));
    await().atMost(LIMIT).until(() -> hasRulesOf("kept"));
    assertThat(status(FamilyReconciler.LOOP).restarts()).isEqualTo(restarts + 1);
    test.apply(service("next", 5, "TCP"));
    await().atMost(LIMIT).until(() -> hasRulesOf("next"));
  }

  @Test
  void aServerWhosePortIsTakenIsTriedAgainAfterAFailureNothingExpects() throws Exception {
    long restarts;
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      test.close();
      test = new TestProxy("healthz-bind-address=127.0.0.1:" + other.getLocalPort());
      test.start();
      assertThat(test.proxy.servers().healthAddress()).isEmpty();
      restarts = status(ProxyHttpServers.RETRY_LOOP).restarts();
      assertThat(LoopFaults.failOnce(ProxyHttpServers.RETRY_LOOP)).isEqualTo(1);
    }
    await().atMost(LIMIT).until(() -> status(ProxyHttpServers.RETRY_LOOP).restarts() > restarts);
    await().atMost(LIMIT).until(() -> test.proxy.servers().healthAddress().isPresent());
  }
}
