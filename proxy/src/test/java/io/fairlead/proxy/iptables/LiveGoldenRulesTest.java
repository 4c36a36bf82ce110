package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.Iptables.Variant;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.testing.GoldenScenario;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The recorded scenarios through the true tools: what `iptables-restore` took is printed by
/// `iptables-save` as it was for the original, and reconciling with that print writes nothing.
@Tag("system")
class LiveGoldenRulesTest {
  private NetworkNamespace namespace;

  @BeforeEach
  void make() {
    namespace = NetworkNamespace.create("flgold" + ProcessHandle.current().pid());
  }

  @AfterEach
  void remove() {
    namespace.delete();
  }

  @TestFactory
  Stream<DynamicTest> theKernelHoldsTheRulesOfTheOriginal() {
    boolean counters = namespace.call(NfacctCounters::prepare);
    assertThat(counters)
        .as("the kernel has named counters, as where the recording was made")
        .isTrue();
    return GoldenScenario.all()
        .flatMap(
            golden ->
                Stream.of(IpAddress.Family.values())
                    .map(
                        family ->
                            DynamicTest.dynamicTest(
                                golden + " " + family, () -> check(golden, family))));
  }

  private void check(GoldenScenario golden, IpAddress.Family family) {
    check(golden, family, LivePlanes.tool(namespace, family));
  }

  private static void check(GoldenScenario golden, IpAddress.Family family, IptablesRunner tool) {
    try (IptablesPlane plane = GoldenRulesTest.plane(tool)) {
      for (String step : golden.steps()) {
        Plan plan = ProxyTestObjects.plan(golden.node(family), golden.objects(step));
        PlanFollower.apply(plane, plan);
        GoldenRulesTest.compare(golden.rules(step, family), GoldenRulesTest.dump(tool));
        try (IptablesPlane restarted = GoldenRulesTest.plane(tool)) {
          assertThat(PlanFollower.apply(restarted, plan).writes())
              .as("writes after a restart")
              .isZero();
        }
      }
    }
  }

  /// The variant that speaks to the old interface of the kernel takes and prints the same rules.
  @TestFactory
  Stream<DynamicTest> theOldInterfaceHoldsThemToo() {
    namespace.call(NfacctCounters::prepare);
    return Stream.of(IpAddress.Family.values())
        .map(
            family ->
                DynamicTest.dynamicTest(
                    family.toString(),
                    () ->
                        check(
                            GoldenScenario.of("fixture"),
                            family,
                            LivePlanes.tool(namespace, family, Variant.LEGACY))));
  }

  @Test
  void cleanupLeavesWhatTheOriginalLeaves() {
    namespace.call(NfacctCounters::prepare);
    IptablesRunner tool = LivePlanes.tool(namespace, IpAddress.Family.IPV4);
    GoldenScenario golden = GoldenScenario.of("fixture");
    try (IptablesPlane plane = GoldenRulesTest.plane(tool)) {
      PlanFollower.apply(
          plane,
          ProxyTestObjects.plan(
              golden.node(IpAddress.Family.IPV4), golden.objects(golden.steps().getFirst())));
      plane.removeAll();
      String left = ProxyTestObjects.resource("golden/lifecycle/iptables/5-after-cleanup.txt");
      assertThat(RulesComparison.lines(GoldenRulesTest.dump(tool), true))
          .isEqualTo(RulesComparison.lines(left.substring(0, left.indexOf("*mangle", 1)), true));
    }
  }
}
