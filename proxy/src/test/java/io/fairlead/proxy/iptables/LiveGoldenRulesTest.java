package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Iptables.Variant;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.fixture.Golden;
import io.fairlead.proxy.fixture.Objects;
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
    boolean counters = namespace.call(Accounting::prepare);
    assertThat(counters)
        .as("the kernel has named counters, as where the recording was made")
        .isTrue();
    return Golden.all()
        .flatMap(
            golden ->
                Stream.of(IpAddress.Family.values())
                    .map(
                        family ->
                            DynamicTest.dynamicTest(
                                golden + " " + family, () -> check(golden, family))));
  }

  private void check(Golden golden, IpAddress.Family family) {
    check(golden, family, LivePlanes.tool(namespace, family));
  }

  private static void check(Golden golden, IpAddress.Family family, RuleTool tool) {
    try (IptablesPlane plane = GoldenRulesTest.plane(tool)) {
      for (String step : golden.steps()) {
        Plan plan = Objects.plan(golden.node(family), golden.objects(step));
        plane.apply(plan);
        GoldenRulesTest.compare(golden.rules(step, family), GoldenRulesTest.dump(tool));
        try (IptablesPlane restarted = GoldenRulesTest.plane(tool)) {
          assertThat(restarted.apply(plan).writes()).as("writes after a restart").isZero();
        }
      }
    }
  }

  /// The variant that speaks to the old interface of the kernel takes and prints the same rules.
  @TestFactory
  Stream<DynamicTest> theOldInterfaceHoldsThemToo() {
    namespace.call(Accounting::prepare);
    return Stream.of(IpAddress.Family.values())
        .map(
            family ->
                DynamicTest.dynamicTest(
                    family.toString(),
                    () ->
                        check(
                            Golden.of("fixture"),
                            family,
                            LivePlanes.tool(namespace, family, Variant.LEGACY))));
  }

  @Test
  void cleanupLeavesWhatTheOriginalLeaves() {
    namespace.call(Accounting::prepare);
    RuleTool tool = LivePlanes.tool(namespace, IpAddress.Family.IPV4);
    Golden golden = Golden.of("fixture");
    try (IptablesPlane plane = GoldenRulesTest.plane(tool)) {
      plane.apply(
          Objects.plan(
              golden.node(IpAddress.Family.IPV4), golden.objects(golden.steps().getFirst())));
      plane.removeAll();
      String left = Objects.resource("golden/lifecycle/iptables/5-after-cleanup.txt");
      assertThat(RulesComparison.lines(GoldenRulesTest.dump(tool), true))
          .isEqualTo(RulesComparison.lines(left.substring(0, left.indexOf("*mangle", 1)), true));
    }
  }
}
