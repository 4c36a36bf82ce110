package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.testing.FakeIptables;
import io.fairlead.proxy.testing.GoldenScenario;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.proxy.testing.ProxyTestObjects;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// For every scenario recorded from the original, and every step of those that change, our rules
/// are the same.
class GoldenRulesTest {
  private static final String OWN_JUMP =
      "  \"kubernetes externally-visible service portals\" --ctstate NEW -j KUBE-EXTERNAL-SERVICES";

  @TestFactory
  Stream<DynamicTest> rulesAreThoseOfTheOriginal() {
    return GoldenScenario.all()
        .flatMap(
            golden ->
                Stream.of(IpAddress.Family.values())
                    .map(
                        family ->
                            DynamicTest.dynamicTest(
                                golden + " " + family, () -> check(golden, family))));
  }

  private static void check(GoldenScenario golden, IpAddress.Family family) {
    FakeIptables tool = new FakeIptables();
    try (IptablesPlane plane = plane(tool)) {
      for (String step : golden.steps()) {
        Plan plan = ProxyTestObjects.plan(golden.node(family), golden.objects(step));
        PlanFollower.apply(plane, plan);
        compare(golden.rules(step, family), dump(tool));
        ApplyResult again = PlanFollower.reconcile(plane, plan);
        assertThat(again.writes()).as(step + ": nothing to repair").isZero();
      }
    }
  }

  /// The same but for one jump of ours (see FixedRules.JUMPS), which must be there.
  static void compare(String expected, String actual) {
    List<String> lines = new ArrayList<>(RulesComparison.lines(actual, true));
    int output = lines.indexOf("[filter OUTPUT]");
    int own = output + lines.subList(output, lines.size()).indexOf(OWN_JUMP);
    assertThat(own).as("jump from OUTPUT to external services").isEqualTo(output + 4);
    lines.remove(own);
    assertThat(String.join("\n", lines))
        .isEqualTo(String.join("\n", RulesComparison.lines(expected, true)));
  }

  static IptablesPlane plane(IptablesRunner tool) {
    return new IptablesPlane(
        tool, IptablesSettings.standard().withAccounting(true), neverLooking());
  }

  static Canary neverLooking() {
    return new Canary(Pacer.system(), Duration.ofDays(1));
  }

  static String dump(IptablesRunner tool) {
    return tool.save("mangle") + tool.save("nat") + tool.save("filter");
  }
}
