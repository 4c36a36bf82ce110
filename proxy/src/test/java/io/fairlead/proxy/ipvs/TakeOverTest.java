package io.fairlead.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.testing.FakeIptables;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.work.Pacer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The iptables and the ipvs mode call some chains by the same name. Whichever takes over leaves
/// nothing of the other, and loses nothing of its own.
class TakeOverTest {
  private static final Plan PLAN =
      new Fixture(IpAddress.Family.IPV4, Protocol.TCP).plan(Setup.STANDARD);

  @TempDir Path directory;

  private static IptablesPlane iptables(FakeIptables tables) {
    return new IptablesPlane(
        tables, IptablesSettings.standard(), new Canary(Pacer.system(), Duration.ofHours(1)));
  }

  private static String rules(FakeIptables tables) {
    return tables.save("nat") + tables.save("filter");
  }

  /// Without the chain that the node's agent shares.
  private static Map<String, List<String>> ours(FakeNode node) {
    Map<String, List<String>> rules = new TreeMap<>();
    node.state()
        .rules()
        .forEach(
            (chain, lines) -> {
              List<String> kept =
                  lines.stream().filter(line -> !line.contains("KUBE-FIREWALL")).toList();
              if (!chain.endsWith("KUBE-FIREWALL")) {
                rules.put(chain, kept);
              }
            });
    return rules;
  }

  @Test
  void ipvsAfterIptables() {
    FakeNode fresh = new FakeNode(directory.resolve("fresh"));
    fresh.plane(IpAddress.Family.IPV4, IpvsSettings.standard()).reconcile(PLAN);
    FakeNode node = new FakeNode(directory.resolve("node"));
    iptables(node.tables(IpAddress.Family.IPV4)).reconcile(PLAN);
    node.plane(IpAddress.Family.IPV4, IpvsSettings.standard()).reconcile(PLAN);
    assertThat(rules(node.tables(IpAddress.Family.IPV4)))
        .doesNotContain("KUBE-SVC-", "KUBE-SEP-", "KUBE-EXTERNAL-SERVICES", "KUBE-NODEPORTS");
    assertThat(ours(node)).isEqualTo(ours(fresh));
  }

  /// Until then the rules of the iptables mode serve; so no connection meets a node without either.
  @Test
  void rulesChangeHandsWhenServersAndAddressesAreReady() {
    FakeNode fresh = new FakeNode(directory.resolve("fresh"));
    List<KernelState> bare = new ArrayList<>();
    fresh
        .plane(IpAddress.Family.IPV4, IpvsSettings.standard(), () -> bare.add(fresh.state()))
        .reconcile(PLAN);
    assertThat(bare).hasSize(1);
    assertThat(bare.getFirst().servers()).as("with no rules, rules come first").isEmpty();
    FakeNode node = new FakeNode(directory.resolve("node"));
    iptables(node.tables(IpAddress.Family.IPV4)).reconcile(PLAN);
    List<KernelState> seen = new ArrayList<>();
    node.plane(IpAddress.Family.IPV4, IpvsSettings.standard(), () -> seen.add(node.state()))
        .reconcile(PLAN);
    assertThat(seen).hasSize(1);
    assertThat(seen.getFirst().rules().keySet()).anyMatch(chain -> chain.contains("KUBE-SVC-"));
    assertThat(seen.getFirst().servers()).isEqualTo(fresh.state().servers());
    assertThat(seen.getFirst().addresses()).isEqualTo(fresh.state().addresses());
    assertThat(seen.getFirst().sets()).isEqualTo(fresh.state().sets());
  }

  /// A scheduler that the kernel lacks is noticed before the rules go.
  @Test
  void rulesStayWhileTheKernelRefuses() {
    Plan plan =
        new IpvsTestPlans()
            .with("web", "10.112.1.1", 80, Protocol.TCP, "nonesuch", "10.64.1.11")
            .plan();
    FakeNode node = new FakeNode(directory.resolve("node"));
    iptables(node.tables(IpAddress.Family.IPV4)).reconcile(plan);
    List<List<String>> seen = new ArrayList<>();
    node.plane(
            IpAddress.Family.IPV4, IpvsSettings.standard(), () -> seen.add(node.state().servers()))
        .reconcile(plan);
    assertThat(seen).containsExactly(node.state().servers());
    assertThat(node.state().servers()).contains("-A -t 10.112.1.1:80 -s rr");
  }

  /// Without how a mark is written, which the modes do in two ways that mean the same.
  private static List<String> lines(FakeIptables tables) {
    return rules(tables)
        .lines()
        .map(line -> line.replaceFirst("-j MARK .*", "-j MARK"))
        .sorted()
        .toList();
  }

  @Test
  void iptablesAfterIpvs() {
    FakeIptables alone = new FakeIptables();
    iptables(alone).reconcile(PLAN);
    FakeNode node = new FakeNode(directory.resolve("node"));
    IpvsPlane plane = node.plane(IpAddress.Family.IPV4, IpvsSettings.standard());
    PlanFollower.apply(plane, PLAN);
    FakeIptables tables = node.tables(IpAddress.Family.IPV4);
    iptables(tables).reconcile(PLAN);
    plane.removeBeside(ProxyMode.IPTABLES);
    assertThat(lines(tables)).isEqualTo(lines(alone));
    assertThat(node.state().servers()).isEmpty();
    assertThat(node.state().sets()).isEmpty();
    assertThat(node.device(IpAddress.Family.IPV4).isThere()).isFalse();
  }
}
