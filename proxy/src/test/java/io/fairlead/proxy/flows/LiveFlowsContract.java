package io.fairlead.proxy.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.testing.PlanFollower;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/// The flow table with real packets, the same for every mode. A mode's test says how its data plane
/// is opened, and where its verdicts are its own.
///
/// The plane of a setup stays open while its flows run, for modes that carry traffic themselves,
/// and is closed before the next one opens; rules of the one before may still be there, as after a
/// restart.
@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LiveFlowsContract {
  private static final int AT_ONCE = 8;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private @Nullable Lab lab;
  private @Nullable ExecutorService executor;
  private @Nullable DataPlane plane;

  /// Opens the mode's plane for a family; what it does belongs into [Lab#node].
  protected abstract DataPlane open(Lab lab, IpAddress.Family family);

  /// What the mode shall do with a row.
  protected abstract ExpectedOutcome expected(Flow flow);

  /// The families and protocols to try.
  protected Stream<Fixture> fixtures() {
    return Stream.of(
        new Fixture(IpAddress.Family.IPV4, Protocol.TCP),
        new Fixture(IpAddress.Family.IPV4, Protocol.UDP),
        new Fixture(IpAddress.Family.IPV6, Protocol.TCP),
        new Fixture(IpAddress.Family.IPV6, Protocol.UDP));
  }

  /// The configurations the mode knows.
  protected Stream<Setup> setups() {
    return Stream.of(Setup.values());
  }

  @BeforeAll
  final void build() {
    lab = Lab.create();
    executor = Executors.newFixedThreadPool(AT_ONCE);
  }

  @AfterAll
  final void remove() {
    if (executor != null) {
      executor.shutdownNow();
    }
    closePlane();
    if (lab != null) {
      lab.close();
    }
  }

  private void closePlane() {
    if (plane != null) {
      plane.close();
      plane = null;
    }
  }

  @TestFactory
  final Stream<DynamicContainer> packetsGoWhereTheTableSays() {
    return fixtures()
        .map(
            fixture ->
                DynamicContainer.dynamicContainer(
                    fixture.family() + " " + fixture.protocol(),
                    setups().flatMap(setup -> tests(fixture, setup))));
  }

  private Stream<DynamicTest> tests(Fixture fixture, Setup setup) {
    List<Flow> flows =
        Flows.of(fixture.family()).stream()
            .filter(flow -> flow.setup() == setup && flow.live())
            .toList();
    Map<Flow, Future<?>> running = new HashMap<>();
    return Stream.concat(
        Stream.of(
            DynamicTest.dynamicTest(
                "set up " + setup, () -> running.putAll(start(fixture, setup, flows)))),
        flows.stream()
            .map(
                flow ->
                    DynamicTest.dynamicTest(
                        flow.toString(),
                        () -> {
                          // Also when this row is run alone.
                          if (running.isEmpty()) {
                            running.putAll(start(fixture, setup, flows));
                          }
                          Objects.requireNonNull(running.get(flow)).get();
                        })));
  }

  private Map<Flow, Future<?>> start(Fixture fixture, Setup setup, List<Flow> flows) {
    Lab built = Objects.requireNonNull(lab);
    closePlane();
    DataPlane opened = open(built, fixture.family());
    plane = opened;
    PlanFollower.apply(opened, fixture.plan(setup));
    // A datagram from a port that was used under an earlier setup would go the way it went then.
    CommandRunner.Result flushed =
        CommandRunner.inside(built.node(), LIMIT).run("", List.of("conntrack", "-F"));
    assertThat(flushed.succeeded()).as(flushed.error()).isTrue();
    return new LiveFlows(built, fixture, this::expected)
        .checkAll(flows, Objects.requireNonNull(executor));
  }
}
