package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import io.fairlead.proxy.testing.FakeIptables;
import io.fairlead.proxy.testing.PlanFollower;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is written when (spec/proxy.md 7.4 R8 and 7.5).
class SyncTest {
  private static final NodeFacts NODE =
      NodeFacts.of("node-a", IpAddress.parse("192.0.2.10"))
          .withDetector(new LocalDetector.Source(Cidr.parse("10.64.0.0/14")));

  private final FakeIptables tool = new FakeIptables();
  private final IptablesPlane plane =
      new IptablesPlane(tool, IptablesSettings.standard(), GoldenRulesTest.neverLooking());

  @AfterEach
  void close() {
    plane.close();
  }

  private static ServicePlan service(String name, int number, int endpoints) {
    List<Backend> backends = new ArrayList<>();
    for (int i = 0; i < endpoints; i++) {
      backends.add(
          Backend.ready(
              IpAddress.parse("10.64." + (i / 250 + number) + "." + (i % 250 + 1)), 80, true));
    }
    backends.sort(Comparator.comparing(Backend::text));
    return ServicePlan.of(
        new ServicePort(
            new ServicePortName("shop", name, "h", Protocol.TCP),
            IpAddress.parse("10.112.0." + number),
            80,
            0,
            List.of(),
            List.of(),
            List.of(),
            TrafficPolicy.CLUSTER,
            TrafficPolicy.CLUSTER,
            0,
            0),
        backends,
        NODE);
  }

  private static Plan plan(ServicePlan... services) {
    Plan plan = Plan.empty(NODE);
    for (ServicePlan service : services) {
      plan = plan.with(service);
    }
    return plan;
  }

  private String last() {
    return tool.documents().getLast();
  }

  @ParameterizedTest(name = "R8 {0} services of {1} endpoints: {2} nat, {3} filter")
  @CsvSource({"0,0,5,4", "1,1,10,4", "1,10,37,4", "10,0,5,14", "10,10,325,4"})
  void rulesAreCountedAsTheOriginalCounts(int services, int endpoints, int nat, int filter) {
    Plan plan = Plan.empty(NODE);
    for (int i = 0; i < services; i++) {
      plan = plan.with(service("s" + i, i + 1, endpoints));
    }
    ApplyResult applied = PlanFollower.apply(plane, plan);
    assertThat(applied.sizes()).containsEntry("nat", nat).containsEntry("filter", filter);
    assertThat(tool.save("nat").lines().filter(l -> l.startsWith("-A KUBE-"))).hasSize(nat);
    assertThat(tool.save("filter").lines().filter(l -> l.startsWith("-A KUBE-"))).hasSize(filter);
  }

  @Test
  void y2AddingAServiceWritesItsChainsAndTheEntriesOfAll() {
    PlanFollower.apply(plane, plan(service("a", 1, 1), service("b", 2, 1)));
    ApplyResult applied =
        PlanFollower.apply(plane, plan(service("a", 1, 1), service("b", 2, 1), service("c", 3, 1)));
    assertThat(applied.full()).isFalse();
    assertThat(last()).contains("shop/a:h cluster IP", "shop/b:h cluster IP", "shop/c:h -> ");
    assertThat(last()).doesNotContain("shop/a:h -> ", "shop/b:h -> ");
    assertThat(applied.sizes()).containsEntry("nat", 5 + 3 * 5);
  }

  @Test
  void y3DeletingAServiceRemovesItsChainsInTheSameDocument() {
    ServicePlan gone = service("b", 2, 1);
    PlanFollower.apply(plane, plan(service("a", 1, 1), gone, service("c", 3, 1)));
    PlanFollower.apply(plane, plan(service("a", 1, 1), service("c", 3, 1)));
    String chain = "KUBE-SVC-" + ChainNames.service(NameStyle.CURRENT, gone.name());
    assertThat(last()).contains(":" + chain + " - [0:0]", "-X " + chain, "-X KUBE-SEP-");
    assertThat(last()).doesNotContain("shop/a:h -> ", "shop/c:h -> ");
    assertThat(tool.hasChain("nat", chain)).isFalse();
  }

  @Test
  void anEndpointThatChangesLeavesSharedChainsAlone() {
    PlanFollower.apply(plane, plan(service("a", 1, 2), service("b", 2, 1)));
    PlanFollower.apply(plane, plan(service("a", 1, 3), service("b", 2, 1)));
    assertThat(last()).doesNotContain(":KUBE-SERVICES", "*filter", "shop/b");
  }

  @Test
  void y6ALargeClusterLosesCommentsServiceByService() {
    ServicePlan big = service("big", 100, 998);
    PlanFollower.apply(plane, plan(big, service("small", 50, 1)));
    assertThat(tool.save("nat")).contains("shop/big:h -> ", "shop/small:h -> ");
    PlanFollower.apply(plane, plan(big, service("small", 50, 4)));
    assertThat(last()).doesNotContain("shop/big");
    assertThat(tool.save("nat")).contains("shop/big:h -> ").doesNotContain("shop/small:h -> ");
    ApplyResult later = PlanFollower.reconcile(plane, plan(big, service("small", 50, 4)));
    assertThat(later.writes()).as("a look at everything rewrites nothing").isZero();
    tool.failNext(1);
    Plan next = plan(big, service("small", 50, 5));
    assertThatThrownBy(() -> PlanFollower.apply(plane, next))
        .isInstanceOf(DataPlaneException.class);
    assertThat(PlanFollower.apply(plane, next).full())
        .as("a sync after a failure compares everything")
        .isTrue();
    assertThat(tool.save("nat")).doesNotContain("shop/big:h -> ", "shop/small:h -> ");
  }

  @Test
  void foreignRulesStayThroughEverything() {
    tool.restore(
        """
        *filter
        :MINE - [0:0]
        -A INPUT -p tcp --dport 22 -j ACCEPT
        -A MINE -s 192.0.2.1 -j DROP
        COMMIT
        """);
    PlanFollower.apply(plane, plan(service("a", 1, 1)));
    PlanFollower.reconcile(plane, plan(service("a", 1, 2)));
    plane.removeAll();
    assertThat(tool.rules("filter", "INPUT"))
        .containsExactly("-j KUBE-FIREWALL", "-p tcp --dport 22 -j ACCEPT");
    assertThat(tool.rules("filter", "MINE")).containsExactly("-s 192.0.2.1 -j DROP");
  }
}
