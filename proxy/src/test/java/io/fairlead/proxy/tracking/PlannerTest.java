package io.fairlead.proxy.tracking;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// From objects to plans (spec/proxy.md 7.2, M1-M10).
class PlannerTest {
  private static final NodeFacts NODE = NodeFacts.of("node-a", ProxyTestObjects.ip("192.0.2.10"));
  private static final NodeFacts NODE6 =
      NodeFacts.of("node-a", ProxyTestObjects.ip("2001:db8:2::10"));

  private static ObjectNode service(String spec) {
    return ProxyTestObjects.yaml(
            "{apiVersion: v1, kind: Service, metadata: {namespace: t, name: a}, spec: "
                + spec
                + "}")
        .getFirst();
  }

  private static ObjectNode slice(String name, String ports, String endpoints) {
    return ProxyTestObjects.yaml(
            """
            apiVersion: discovery.k8s.io/v1
            kind: EndpointSlice
            metadata: {namespace: t, name: %s, labels: {kubernetes.io/service-name: a}}
            addressType: IPv4
            ports: %s
            endpoints: %s
            """
                .formatted(name, ports, endpoints))
        .getFirst();
  }

  private static Plan plan(NodeFacts node, ObjectNode... objects) {
    return ProxyTestObjects.plan(node, List.of(objects));
  }

  private static ServicePlan only(Plan plan) {
    assertThat(plan.services().size()).isEqualTo(1);
    return plan.sorted().getFirst();
  }

  @Test
  void m1HeadlessAndExternalNameServicesHaveNoPorts() {
    Planner planner = new Planner(NODE, Instant.EPOCH);
    planner.put(ServiceObject.of(service("{clusterIP: None, ports: [{port: 80}]}")));
    assertThat(planner.plan().plan().services().size()).isZero();
    assertThat(
            plan(
                    NODE,
                    service(
                        "{type: ExternalName, externalName: x.example, clusterIP: 10.112.1.2,"
                            + " ports: [{port: 80}]}"))
                .services()
                .size())
        .isZero();
  }

  @Test
  void m3EachFamilyHasItsOwnAddressesAndRanges() {
    ObjectNode dual =
        service(
            """
            {ipFamilies: [IPv6, IPv4], clusterIP: "fd00:112::5",
             clusterIPs: ["fd00:112::5", 10.112.1.5], externalIPs: [198.18.1.9, "2001:db8::9"],
             loadBalancerSourceRanges: [" 203.0.113.0/25", "::/0"], ports: [{name: h, port: 80}]}
            """);
    var ipv4 = only(plan(NODE, dual)).port();
    assertThat(ipv4.clusterIp()).isEqualTo(ProxyTestObjects.ip("10.112.1.5"));
    assertThat(ipv4.externalIps()).containsExactly(ProxyTestObjects.ip("198.18.1.9"));
    assertThat(ipv4.sourceRanges()).containsExactly(Cidr.parse("203.0.113.0/25"));
    var ipv6 = only(plan(NODE6, dual)).port();
    assertThat(ipv6.clusterIp()).isEqualTo(ProxyTestObjects.ip("fd00:112::5"));
    assertThat(ipv6.externalIps()).containsExactly(ProxyTestObjects.ip("2001:db8::9"));
    assertThat(ipv6.sourceRanges()).isEmpty();
  }

  @Test
  void m4LeadingZerosGo() {
    ServicePlan plan =
        only(
            plan(
                NODE,
                service("{clusterIP: 172.30.0.041, ports: [{name: h, port: 80}]}"),
                slice("a-1", "[{name: h, port: 80}]", "[{addresses: [10.180.00.001]}]")));
    assertThat(plan.port().clusterIp()).hasToString("172.30.0.41");
    assertThat(plan.choice().all()).extracting(Backend::text).containsExactly("10.180.0.1:80");
  }

  @Test
  void m5AddressesOfLoadBalancersThatProxyAreNotOurs() {
    ObjectNode proxied =
        service("{type: LoadBalancer, clusterIP: 10.112.1.1, ports: [{name: h, port: 80}]}");
    for (String mode : List.of("Proxy", "VIP")) {
      proxied
          .putObject("status")
          .putObject("loadBalancer")
          .putArray("ingress")
          .addObject()
          .put("ip", "198.18.0.9")
          .put("ipMode", mode);
      assertThat(only(plan(NODE, proxied)).port().loadBalancerIps())
          .hasSize(mode.equals("VIP") ? 1 : 0);
    }
  }

  @Test
  void m6PortsMustAgreeInNameAndProtocol() {
    ObjectNode web = service("{clusterIP: 10.112.1.1, ports: [{name: http, port: 80}]}");
    String endpoint = "[{addresses: [10.64.1.1]}]";
    Stream.of(
            "[{name: null, port: 80}]",
            "[{name: http, port: 0}]",
            "[{name: web, port: 80}]",
            "[{name: http, port: 80, protocol: UDP}]")
        .forEach(
            ports -> {
              Frontend front =
                  only(plan(NODE, web, slice("a-1", ports, endpoint))).fronts().getFirst();
              assertThat(front.verdict())
                  .as(ports)
                  .isEqualTo(new TrafficVerdict.Reject(TrafficVerdict.Reason.NO_ENDPOINTS));
            });
  }

  @Test
  void m7AnAddressThatTerminatesInOneSliceAndNotInAnotherDoesNotTerminate() {
    ObjectNode web = service("{clusterIP: 10.112.1.1, ports: [{name: h, port: 80}]}");
    String ports = "[{name: h, port: 80}]";
    String alive = "[{addresses: [10.64.1.1], conditions: {ready: true}}]";
    String ending =
        "[{addresses: [10.64.1.1], conditions: {ready: false, serving: true, terminating: true}}]";
    for (boolean firstAlive : List.of(true, false)) {
      ServicePlan plan =
          only(
              plan(
                  NODE,
                  web,
                  slice("a-1", ports, firstAlive ? alive : ending),
                  slice("a-2", ports, firstAlive ? ending : alive)));
      assertThat(plan.choice().all()).hasSize(1).noneMatch(Backend::terminating);
    }
  }

  @Test
  void m8EndpointsAreSortedByTheirText() {
    ServicePlan plan =
        only(
            plan(
                NODE,
                service("{clusterIP: 10.112.1.1, ports: [{name: h, port: 80}]}"),
                slice(
                    "a-1",
                    "[{name: h, port: 80}]",
                    "[{addresses: [10.0.0.2]}, {addresses: [10.0.0.10]}]")));
    assertThat(plan.choice().all())
        .extracting(Backend::text)
        .containsExactly("10.0.0.10:80", "10.0.0.2:80");
  }

  @Test
  void m9AServiceThatComesAndGoesBetweenTwoPlansIsNoChange() {
    Planner planner = new Planner(NODE, Instant.EPOCH);
    ServiceObject web =
        ServiceObject.of(service("{clusterIP: 10.112.1.1, ports: [{name: h, port: 80}]}"));
    assertThat(planner.put(web)).isTrue();
    assertThat(planner.removeService(new ObjectKey("t", "a"))).as("nothing pending").isFalse();
    assertThat(planner.waiting()).isEqualTo(new Planner.PendingCounts(0, 0));
  }

  @Test
  void m10HealthCheckPortsBelongToLocalLoadBalancers() {
    for (String policy : List.of("Cluster", "Local")) {
      assertThat(
              only(plan(
                      NODE,
                      service(
                          "{type: LoadBalancer, clusterIP: 10.112.1.1, healthCheckNodePort: 32001,"
                              + " externalTrafficPolicy: "
                              + policy
                              + ", ports: [{name: h, port: 80}]}")))
                  .port()
                  .healthCheckNodePort())
          .isEqualTo(policy.equals("Local") ? 32001 : 0);
    }
  }

  @Test
  void oneChangeAmongManyIsOneDifferenceAndSharesTheRest() {
    Planner planner = new Planner(NODE, Instant.EPOCH);
    for (int i = 0; i < 2000; i++) {
      ObjectNode each = service("{clusterIP: 10.112.1.1, ports: [{name: h, port: 80}]}");
      ((ObjectNode) each.get("metadata")).put("name", "a" + i);
      planner.put(ServiceObject.of(each));
    }
    Plan before = planner.plan().plan();
    ObjectNode changed = service("{clusterIP: 10.112.9.9, ports: [{name: h, port: 80}]}");
    ((ObjectNode) changed.get("metadata")).put("name", "a7");
    planner.put(ServiceObject.of(changed));
    Plan after = planner.plan().plan();
    PlanDiff diff = PlanDiff.between(before, after);
    assertThat(diff.changed()).hasSize(1);
    assertThat(diff.added()).isEmpty();
    assertThat(diff.removed()).isEmpty();
    ServicePortName other = new ServicePortName("t", "a8", "h", Protocol.TCP);
    assertThat(after.service(other)).isSameAs(before.service(other));
    assertThat(IpAddress.Family.IPV4).isEqualTo(after.node().family());
  }
}
