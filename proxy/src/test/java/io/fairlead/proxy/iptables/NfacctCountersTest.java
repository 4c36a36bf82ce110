package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.testing.PlanFollower;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The two named counters of the kernel, and the rules that refer to them (spec/proxy.md 2.3, 2.7).
@Tag("system")
class NfacctCountersTest {
  private NetworkNamespace namespace;

  @BeforeEach
  void make() {
    namespace = NetworkNamespace.create("flacct" + ProcessHandle.current().pid());
  }

  @AfterEach
  void remove() {
    namespace.delete();
  }

  private static Plan plan(IpAddress.Family family) {
    String address = family == IpAddress.Family.IPV4 ? "192.0.2.10" : "2001:db8::10";
    return Plan.empty(
        NodeFacts.of("node-a", IpAddress.parse(address)).withDetector(new LocalDetector.None()));
  }

  @Test
  void countersThatExistAreUsed() {
    assertThat(namespace.call(NfacctCounters::prepare)).isTrue();
    assertThat(namespace.call(NfacctCounters::prepare)).as("they exist now").isTrue();
    assertThat(namespace.call(NfacctCounters::read))
        .containsOnlyKeys(IptablesSettings.INVALID_COUNTER, IptablesSettings.LOCALHOST_COUNTER);
  }

  /// Each family opens its plane after the other one has made the counters; a restart finds both.
  @ParameterizedTest
  @EnumSource(IpAddress.Family.class)
  void bothFamiliesReferToThemAndARestartWritesNothing(IpAddress.Family family) {
    namespace.call(NfacctCounters::prepare);
    try (IptablesPlane plane = LivePlanes.open(namespace, family)) {
      PlanFollower.reconcile(plane, plan(family));
    }
    assertThat(LivePlanes.tool(namespace, family).save("filter"))
        .contains(IptablesSettings.INVALID_COUNTER);
    try (IptablesPlane restarted = LivePlanes.open(namespace, family)) {
      ApplyResult result = PlanFollower.reconcile(restarted, plan(family));
      assertThat(result.writes()).as("rules written by a restart with nothing new").isZero();
    }
  }
}
