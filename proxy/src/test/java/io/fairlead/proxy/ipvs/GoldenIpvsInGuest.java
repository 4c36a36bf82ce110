package io.fairlead.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.testing.GoldenScenario;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The recorded scenarios on a kernel with IPVS: `ipvsadm`, `ipset`, `ip` and the save tools print
/// what they printed for the original. One scenario follows the other in the same planes, so what
/// one leaves would be seen in the next. At the end a restarted process writes nothing, and what is
/// removed is gone.
class GoldenIpvsInGuest {
  private static final String SETTINGS =
      """
      cd /proc/sys/net/ipv4
      grep . vs/conntrack vs/expire_nodest_conn vs/expire_quiescent_template ip_forward
      """;

  private static final Map<IpAddress.Family, IpvsPlane> PLANES =
      new EnumMap<>(IpAddress.Family.class);
  private static GuestNode node;
  private static String before;

  @BeforeAll
  static void prepare() {
    node = new GuestNode(NetworkNamespace.create("golden"));
    // The addresses the node of the recording had.
    node.script(
        """
        modprobe ip_vs
        ip link set lo up
        ip link add eth0 type dummy
        ip link set eth0 up
        ip addr add 192.0.2.10/24 dev eth0
        ip addr add 192.0.2.11/24 dev eth0
        ip addr add 2001:db8:2::10/64 dev eth0
        """);
    before = node.script(SETTINGS);
    open();
  }

  private static void open() {
    for (IpAddress.Family family : IpAddress.Family.values()) {
      PLANES.put(family, node.plane(family, IpvsSettings.standard()));
    }
  }

  @AfterAll
  static void remove() {
    PLANES.values().forEach(IpvsPlane::close);
    node.namespace().delete();
  }

  @TestFactory
  Stream<DynamicTest> theKernelHoldsWhatTheOriginalPutThere() {
    GoldenScenario last = GoldenScenario.of("fixture");
    return Stream.of(
            KernelState.recordings()
                .map(GoldenScenario::of)
                .map(golden -> DynamicTest.dynamicTest(golden.name(), () -> check(golden))),
            Stream.of(
                DynamicTest.dynamicTest("fixture again", () -> check(last)),
                DynamicTest.dynamicTest("a restart writes nothing", () -> restart(last)),
                DynamicTest.dynamicTest("all is gone when removed", () -> removeAll())))
        .flatMap(tests -> tests);
  }

  private static void check(GoldenScenario golden) {
    for (String step : golden.steps()) {
      PLANES.forEach((family, plane) -> PlanFollower.apply(plane, plan(golden, step, family)));
      node.state().isSameAs(KernelState.recorded(step));
    }
  }

  private static void restart(GoldenScenario golden) {
    PLANES.values().forEach(IpvsPlane::close);
    open();
    PLANES.forEach(
        (family, plane) ->
            assertThat(
                    PlanFollower.apply(plane, plan(golden, golden.steps().getLast(), family))
                        .writes())
                .as("writes after a restart")
                .isZero());
  }

  private static void removeAll() {
    PLANES.values().forEach(plane -> node.namespace().run(plane::removeAll));
    node.state().isEmpty();
    assertThat(node.must("ip", "link")).doesNotContain(DummyInterface.NAME);
    assertThat(node.script(SETTINGS)).as("settings of the kernel").isEqualTo(before);
  }

  private static Plan plan(GoldenScenario golden, String step, IpAddress.Family family) {
    return ProxyTestObjects.plan(golden.node(family), golden.objects(step));
  }
}
