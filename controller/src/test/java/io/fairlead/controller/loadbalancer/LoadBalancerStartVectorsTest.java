package io.fairlead.controller.loadbalancer;

import static io.fairlead.client.ResourceType.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.status.ApiException;
import io.fairlead.controller.loadbalancer.LoadBalancerScenario.Row;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The vectors of allocation that begin otherwise: other pools, a restart, an error at the start.
class LoadBalancerStartVectorsTest {
  private static final String A = "192.168.77.240";
  private static final String B = "192.168.77.241";
  private static final String C = "192.168.77.242";

  static Stream<Row> others() {
    return Stream.of(
        new Row(
            "LV2 class fairlead.dev/l2 with the default off",
            _ -> {
              try (LoadBalancerScenario it = LoadBalancerScenario.notDefault().start()) {
                it.service("a");
                it.service("b", "loadBalancerClass: fairlead.dev/l2");
                assertThat(it.ip("a")).isEmpty();
                assertThat(it.ip("b")).isEqualTo(A);
              }
            }),
        new Row(
            "without a pool a Service that names no class is not touched until there is one",
            _ -> {
              try (LoadBalancerScenario it = LoadBalancerScenario.with().start()) {
                it.service("a");
                it.writeStatus("a", "{ingress: [{ip: 203.0.113.9, ipMode: VIP}]}");
                it.service("b");
                assertThat(it.ip("a")).isEqualTo("203.0.113.9");
                it.pools("pools: [{name: lan, addresses: [" + A + "]}]");
                assertThat(it.ip("a")).isEqualTo(A);
              }
            }),
        new Row(
            "LV24 a restart keeps what is held, and who waits waits",
            it -> {
              it.fill();
              for (int i = 0; i < 20; i++) {
                try (LoadBalancerScenario again = it.restarted(LoadBalancerScenario.LAN)) {
                  assertThat(Stream.of("a", "b", "c", "d").map(again::ip))
                      .containsExactly(A, B, C, "");
                  assertThat(again.cluster.api.writes())
                      .noneMatch(one -> one.startsWith("PATCH") && one.contains("/services/"));
                }
              }
            }),
        new Row(
            "LV25 an error at the first list",
            it -> {
              it.fill();
              LoadBalancerScenario again = LoadBalancerScenario.with(LoadBalancerScenario.LAN);
              AtomicInteger lists = new AtomicInteger();
              again.cluster.create(
                  SERVICES,
                  """
                  metadata: {name: d}
                  spec: {type: LoadBalancer, ipFamilies: [IPv4], ports: [{port: 80}]}
                  """);
              again.cluster.api.intercept(
                  request -> {
                    if (request.query().containsKey("watch")
                        && request.path().endsWith("/services")
                        && lists.getAndIncrement() < 2) {
                      throw new ApiException(
                          io.fairlead.api.status.Status.of(500, "InternalError", "no"));
                    }
                  });
              try (again) {
                again.start();
                assertThat(again.ip("d")).isEqualTo(A);
                assertThat(lists).hasValueGreaterThan(2);
              }
            }),
        new Row(
            "LV26 an address outside of all pools survives a restart",
            it -> {
              it.service("a", "loadBalancerIP: " + C);
              it.patch("a", "spec: {loadBalancerIP: null}");
              try (LoadBalancerScenario again = it.restarted("lan=" + A)) {
                assertThat(again.ip("a")).isEqualTo(C);
                again.told("AddressOutsidePools", C);
              }
            }),
        new Row(
            "LV27 two Services with one address, written by hand",
            _ -> {
              try (LoadBalancerScenario it = LoadBalancerScenario.with(LoadBalancerScenario.LAN)) {
                for (String name : List.of("b", "a")) {
                  it.cluster.clock.advance(java.time.Duration.ofSeconds(1));
                  it.cluster.create(
                      SERVICES,
                      """
                      metadata: {name: %s}
                      spec: {type: LoadBalancer, ipFamilies: [IPv4], ports: [{port: 80}]}
                      status: {loadBalancer: {ingress: [{ip: 192.168.77.240, ipMode: VIP}]}}
                      """
                          .formatted(name));
                }
                it.start();
                assertThat(it.ip("b")).isEqualTo(A);
                assertThat(it.ip("a")).isEqualTo(B);
                it.cluster.until(() -> it.cluster.messages("AddressConflict").size() == 2);
              }
            }),
        new Row(
            "LV31 avoidEdgeAddresses",
            _ -> {
              String pool = "e=10.9.1.254-10.9.2.1;avoidEdgeAddresses=true";
              try (LoadBalancerScenario it = LoadBalancerScenario.with(pool).start()) {
                it.service("a");
                it.service("b");
                it.service("c");
                assertThat(Stream.of("a", "b", "c").map(it::ip))
                    .containsExactly("10.9.1.254", "10.9.2.1", "");
              }
            }),
        new Row(
            "LF8 killed between finalizer and status",
            it -> {
              it.service("a");
              it.cluster.create(
                  SERVICES,
                  """
                  metadata: {name: b, finalizers: [service.kubernetes.io/load-balancer-cleanup],
                    annotations: {fairlead.dev/allocated-from: lan}}
                  spec: {type: LoadBalancer, ipFamilies: [IPv4], ports: [{port: 80}]}
                  """);
              try (LoadBalancerScenario again = it.restarted(LoadBalancerScenario.LAN)) {
                assertThat(again.ip("a")).isEqualTo(A);
                assertThat(again.ip("b")).isEqualTo(B);
              }
            }));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("others")
  void holds(Row row) {
    try (LoadBalancerScenario scenario = LoadBalancerScenario.standard()) {
      row.steps().accept(scenario);
    }
  }
}
