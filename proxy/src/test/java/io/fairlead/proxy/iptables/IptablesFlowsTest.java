package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Expected;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.Flows;
import io.fairlead.proxy.flows.Mode;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.testing.FakeIptables;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The flow table against our iptables rules, walked by hand.
class IptablesFlowsTest {
  @TestFactory
  Stream<DynamicTest> theRulesDecideAsTheTableSays() {
    return Stream.of(IpAddress.Family.values())
        .flatMap(
            family -> {
              Fixture fixture = new Fixture(family, Protocol.TCP);
              Map<Setup, FakeIptables> nodes = new EnumMap<>(Setup.class);
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
                                          flow.setup(), setup -> node(fixture, setup)))));
            });
  }

  private static FakeIptables node(Fixture fixture, Setup setup) {
    FakeIptables tool = new FakeIptables();
    try (IptablesPlane plane = GoldenRulesTest.plane(tool)) {
      plane.apply(fixture.plan(setup));
    }
    return tool;
  }

  private static void check(Fixture fixture, Flow flow, FakeIptables node) {
    Set<RuleWalker.End> ends =
        RuleWalker.walk(
            node,
            Set.of(fixture.source(Origin.NODE), fixture.secondNodeAddress()),
            new RuleWalker.Packet(
                fixture.source(flow.from()),
                fixture.address(flow.to()),
                fixture.port(flow.to()),
                fixture.protocol(flow.to()),
                flow.from() == Origin.NODE));
    assertThat(ends).isEqualTo(expected(fixture, flow));
  }

  private static Set<RuleWalker.End> expected(Fixture fixture, Flow flow) {
    return switch (flow.expected(Mode.IPTABLES)) {
      case Expected.Rejected() -> Set.of(new RuleWalker.End.Rejected());
      case Expected.Dropped() -> Set.of(new RuleWalker.End.Dropped());
      case Expected.NotHandled() ->
          Set.of(
              new RuleWalker.End.Sent(
                  fixture.address(flow.to()), fixture.port(flow.to()), false, false));
      case Expected.Reaches(var endpoints, boolean masqueraded, _, int port) ->
          endpoints.stream()
              .map(name -> new RuleWalker.End.Sent(fixture.endpoint(name), port, true, masqueraded))
              .collect(Collectors.toSet());
    };
  }
}
