package io.fairlead.proxy.ipvs;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.testing.GoldenScenario;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.proxy.testing.ProxyTestObjects;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// The recorded scenarios against a kernel in memory; with a true one they are in
/// [GoldenIpvsInGuest].
class GoldenIpvsTest {
  @TempDir Path directory;

  @TestFactory
  Stream<DynamicTest> theKernelHoldsWhatTheOriginalPutThere() {
    return KernelState.recordings()
        .map(GoldenScenario::of)
        .map(golden -> DynamicTest.dynamicTest(golden.name(), () -> check(golden)));
  }

  private void check(GoldenScenario golden) throws Exception {
    FakeNode node = new FakeNode(Files.createDirectory(directory.resolve(golden.name())));
    Map<IpAddress.Family, IpvsPlane> planes = new EnumMap<>(IpAddress.Family.class);
    for (IpAddress.Family family : IpAddress.Family.values()) {
      planes.put(family, node.plane(family, IpvsSettings.standard()));
    }
    for (String step : golden.steps()) {
      planes.forEach(
          (family, plane) ->
              PlanFollower.apply(
                  plane, ProxyTestObjects.plan(golden.node(family), golden.objects(step))));
      node.state().isSameAs(KernelState.recorded(step));
      planes.forEach(
          (family, plane) ->
              assertThat(
                      PlanFollower.reconcile(
                              plane,
                              ProxyTestObjects.plan(golden.node(family), golden.objects(step)))
                          .writes())
                  .as("writes when nothing differs")
                  .isZero());
    }
    planes.values().forEach(IpvsPlane::removeAll);
    node.state().isEmpty();
    assertThat(node.devices.values()).noneMatch(device -> device.isThere());
  }
}
