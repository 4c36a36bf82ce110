package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Iptables.Variant;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.testing.PlanFollower;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What the true tools do that those in memory cannot show: who changed what, and which variant.
@Tag("system")
class LiveToolsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final IpAddress.Family IPV4 = IpAddress.Family.IPV4;

  private NetworkNamespace namespace;
  private CommandRunner inside;

  @BeforeEach
  void make() {
    namespace = NetworkNamespace.create("fltool" + ProcessHandle.current().pid());
    inside = CommandRunner.inside(namespace, LIMIT);
  }

  @AfterEach
  void remove() {
    namespace.delete();
  }

  private void must(String... words) {
    CommandRunner.Result result = inside.run("", List.of(words));
    assertThat(result.exit()).as(String.join(" ", words) + ": " + result.error()).isZero();
  }

  @Test
  void whatOthersDoToOurRulesIsToldAtOnceAndRepaired() {
    Fixture fixture = new Fixture(IPV4, Protocol.TCP);
    Plan plan = fixture.plan(Setup.STANDARD);
    must("iptables", "-t", "nat", "-N", "FOREIGN");
    must("iptables", "-t", "nat", "-A", "FOREIGN", "-j", "RETURN");
    try (IptablesPlane plane = LivePlanes.open(namespace, IPV4)) {
      PlanFollower.apply(plane, plan);
      String before = GoldenRulesTest.dump(LivePlanes.tool(namespace, IPV4));
      AtomicInteger noticed = new AtomicInteger();
      namespace.run(() -> plane.onDrift(noticed::incrementAndGet));
      PlanFollower.apply(plane, Plan.empty(fixture.node(Setup.STANDARD)));
      PlanFollower.apply(plane, plan);
      must("iptables", "-t", "nat", "-A", "FOREIGN", "-p", "tcp", "-j", "RETURN");
      for (List<String> damage :
          List.of(
              List.of("iptables", "-t", "nat", "-F"),
              List.of("iptables", "-t", "nat", "-D", "KUBE-SERVICES", "1"),
              List.of("iptables", "-t", "filter", "-I", "KUBE-SERVICES", "-j", "ACCEPT"),
              List.of("iptables", "-t", "nat", "-D", "PREROUTING", "1"),
              List.of("nft", "flush", "table", "ip", "filter"),
              List.of("nft", "flush", "ruleset"))) {
        assertThat(noticed).as("own changes, and those beside us, are none").hasValue(0);
        must(damage.toArray(String[]::new));
        await().atMost(LIMIT).until(() -> noticed.get() > 0);
        assertThat(PlanFollower.reconcile(plane, plan).writes()).as(damage.toString()).isPositive();
        assertThat(PlanFollower.reconcile(plane, plan).writes()).isZero();
        noticed.set(0);
      }
      assertThat(ours(GoldenRulesTest.dump(LivePlanes.tool(namespace, IPV4))))
          .isEqualTo(ours(before));
    }
  }

  private static List<String> ours(String dump) {
    return dump.lines().filter(line -> line.contains("KUBE-")).sorted().toList();
  }

  @Test
  void anAuditNamesWhatTheKernelLacksAndWhatItHasTooMuch() {
    Plan plan = new Fixture(IPV4, Protocol.TCP).plan(Setup.STANDARD);
    IptablesRunner tool = LivePlanes.tool(namespace, IPV4);
    assertThat(IptablesAudit.of(tool, plan).present()).isFalse();
    try (IptablesPlane plane = LivePlanes.open(namespace, IPV4)) {
      PlanFollower.apply(plane, plan);
    }
    AuditReport fine = IptablesAudit.of(tool, plan);
    assertThat(fine.missing()).isEmpty();
    assertThat(fine.extra()).isEmpty();
    assertThat(fine.agrees()).isTrue();
    must("iptables", "-t", "nat", "-F", "KUBE-SVC-I5LIAMPLWKMBJ54B");
    must(
        List.of("iptables -t filter -A KUBE-SERVICES -p tcp -d 10.112.0.1 -j DROP".split(" ")),
        "shop/cart:http by hand");
    AuditReport damaged = IptablesAudit.of(tool, plan);
    assertThat(damaged.missing())
        .hasSize(3)
        .allSatisfy(line -> assertThat(line).startsWith("-A KUBE-SVC-I5LIAMPLWKMBJ54B "));
    assertThat(damaged.extra()).singleElement().asString().contains("shop/cart:http by hand");
    assertThat(damaged.agrees()).isFalse();
  }

  private void must(List<String> words, String comment) {
    List<String> all = new ArrayList<>(words);
    all.addAll(List.of("-m", "comment", "--comment", comment));
    must(all.toArray(String[]::new));
  }

  @Test
  void theVariantTheNodesAgentUsesIsChosen() {
    assertThat(choice()).as("no hint").isEqualTo(Variant.INSTALLED);
    must("iptables-legacy", "-t", "mangle", "-N", "KUBE-IPTABLES-HINT");
    assertThat(choice()).isEqualTo(Variant.LEGACY);
    must("iptables-nft", "-t", "mangle", "-N", "KUBE-KUBELET-CANARY");
    assertThat(choice()).as("both: the newer one").isEqualTo(Variant.NFTABLES);
  }

  private Variant choice() {
    return IptablesVariantDetector.of(Iptables.Family.IPV4, inside).variant();
  }
}
