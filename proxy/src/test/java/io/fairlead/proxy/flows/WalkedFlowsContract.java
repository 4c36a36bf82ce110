package io.fairlead.proxy.flows;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The flow table against the rules of a mode, walked by hand.
///
/// @param <R> what holds the rules
public abstract class WalkedFlowsContract<R> {
  /// The rules of a plan, written to a kernel that has none.
  protected abstract R rules(Plan plan);

  /// Every end that a packet can come to.
  protected abstract Set<FlowEnd> walk(
      R rules, IpAddress.Family family, Set<IpAddress> nodeAddresses, Packet packet);

  protected abstract ExpectedOutcome expected(Flow flow);

  /// Who sends the packet of a flow.
  protected IpAddress source(Fixture fixture, Flow flow) {
    return fixture.source(flow.from());
  }

  @TestFactory
  final Stream<DynamicTest> theRulesDecideAsTheTableSays() {
    return Stream.of(IpAddress.Family.values()).flatMap(this::flows);
  }

  private Stream<DynamicTest> flows(IpAddress.Family family) {
    Fixture fixture = new Fixture(family, Protocol.TCP);
    Map<Setup, R> nodes = new EnumMap<>(Setup.class);
    return Flows.of(family).stream()
        .map(
            flow ->
                DynamicTest.dynamicTest(
                    family + " " + flow,
                    () ->
                        check(
                            fixture,
                            flow,
                            nodes.computeIfAbsent(
                                flow.setup(), setup -> rules(fixture.plan(setup))))));
  }

  private void check(Fixture fixture, Flow flow, R rules) {
    Set<FlowEnd> ends =
        walk(
            rules,
            fixture.family(),
            Set.of(fixture.source(Origin.NODE), fixture.secondNodeAddress()),
            new Packet(
                source(fixture, flow),
                fixture.address(flow.to()),
                fixture.port(flow.to()),
                fixture.protocol(flow.to()),
                flow.from() == Origin.NODE));
    assertThat(ends).isEqualTo(ends(fixture, flow));
  }

  private Set<FlowEnd> ends(Fixture fixture, Flow flow) {
    return switch (expected(flow)) {
      case ExpectedOutcome.Rejected() -> Set.of(new FlowEnd.Rejected());
      case ExpectedOutcome.Dropped() -> Set.of(new FlowEnd.Dropped());
      case ExpectedOutcome.NotHandled() ->
          Set.of(
              new FlowEnd.Sent(fixture.address(flow.to()), fixture.port(flow.to()), false, false));
      case ExpectedOutcome.Reaches(var endpoints, boolean masqueraded, _, int port) ->
          endpoints.stream()
              .map(name -> new FlowEnd.Sent(fixture.endpoint(name), port, true, masqueraded))
              .collect(Collectors.toSet());
    };
  }
}
