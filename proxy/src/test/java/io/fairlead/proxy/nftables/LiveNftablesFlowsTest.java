package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.Flows;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.LiveFlows;
import io.fairlead.proxy.flows.Mode;
import io.fairlead.proxy.flows.Setup;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// The flow table with real packets through a real table of nftables.
@Tag("system")
class LiveNftablesFlowsTest {
  private static final int AT_ONCE = 8;

  private static Lab lab;
  private static ExecutorService executor;

  @BeforeAll
  static void build() {
    lab = Lab.create();
    executor = Executors.newFixedThreadPool(AT_ONCE);
  }

  @AfterAll
  static void remove() {
    executor.shutdownNow();
    lab.close();
  }

  @TestFactory
  Stream<DynamicContainer> packetsGoWhereTheTableSays() {
    return Stream.of(
            new Fixture(IpAddress.Family.IPV4, Protocol.TCP),
            new Fixture(IpAddress.Family.IPV4, Protocol.UDP),
            new Fixture(IpAddress.Family.IPV6, Protocol.TCP),
            new Fixture(IpAddress.Family.IPV6, Protocol.UDP))
        .map(
            fixture ->
                DynamicContainer.dynamicContainer(
                    fixture.family() + " " + fixture.protocol(),
                    Stream.of(Setup.values()).flatMap(setup -> tests(fixture, setup))));
  }

  private static Stream<DynamicTest> tests(Fixture fixture, Setup setup) {
    List<Flow> flows =
        Flows.of(fixture.family()).stream()
            .filter(flow -> flow.setup() == setup && flow.live())
            .toList();
    LiveFlows live = new LiveFlows(lab, fixture, Mode.NFTABLES);
    Map<Flow, Future<?>> running = new HashMap<>();
    return Stream.concat(
        Stream.of(
            DynamicTest.dynamicTest(
                "set up " + setup,
                () -> {
                  write(fixture, setup);
                  running.putAll(live.checkAll(flows, executor));
                })),
        flows.stream()
            .map(
                flow ->
                    DynamicTest.dynamicTest(
                        flow.toString(), () -> Objects.requireNonNull(running.get(flow)).get())));
  }

  private static void write(Fixture fixture, Setup setup) {
    try (NftablesPlane plane = lab.node().call(() -> NftablesPlane.open(fixture.family()))) {
      plane.apply(fixture.plan(setup));
    }
  }
}
