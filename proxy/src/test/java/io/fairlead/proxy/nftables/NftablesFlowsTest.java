package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Rule;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Destination;
import io.fairlead.proxy.flows.Expected;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.Flows;
import io.fairlead.proxy.flows.Mode;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.flows.Setup;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The flow table against our nftables rules and elements, walked by hand.
class NftablesFlowsTest {
  @TestFactory
  Stream<DynamicTest> theTableDecidesAsItShould() {
    return Stream.of(IpAddress.Family.values())
        .flatMap(
            family -> {
              Fixture fixture = new Fixture(family, Protocol.TCP);
              Map<Setup, Found> tables = new EnumMap<>(Setup.class);
              return Flows.of(family).stream()
                  .map(
                      flow ->
                          DynamicTest.dynamicTest(
                              family + " " + flow,
                              () ->
                                  check(
                                      fixture,
                                      flow,
                                      tables.computeIfAbsent(
                                          flow.setup(), setup -> rendered(fixture.plan(setup))))));
            });
  }

  /// The table as it would be read back after a plan was written to an empty kernel.
  static Found rendered(Plan plan) {
    State state = State.of(plan, new ActionNumbers(), _ -> Placement.NONE);
    Elements elements = state.elements();
    Chains chains = new Chains(plan.node());
    Map<String, Chains.Content> contents = new LinkedHashMap<>(chains.fixed());
    state.actions().used().forEach(action -> contents.put(action.chain(), chains.of(action)));
    Map<String, Chain> found = new HashMap<>();
    Map<String, List<Rule>> rules = new HashMap<>();
    contents.forEach(
        (name, content) -> {
          found.put(name, content.chain());
          rules.put(name, content.rules());
        });
    return new Found(true, found, rules, Map.of(), List.of(), elements);
  }

  private static void check(Fixture fixture, Flow flow, Found table) {
    IpAddress source =
        fixture.address(flow.to()).isLoopback()
            ? fixture.address(flow.to())
            : fixture.source(flow.from());
    Set<TableWalker.End> ends =
        TableWalker.walk(
            table,
            new Layout(fixture.family()),
            Set.of(fixture.source(Origin.NODE), fixture.secondNodeAddress()),
            new TableWalker.Packet(
                source,
                fixture.address(flow.to()),
                fixture.port(flow.to()),
                fixture.protocol(flow.to()),
                flow.from() == Origin.NODE));
    assertThat(ends).isEqualTo(expected(fixture, flow));
  }

  private static Set<TableWalker.End> expected(Fixture fixture, Flow flow) {
    // Nobody listens on loopback: the node itself refuses what the table leaves alone.
    boolean leftAlone = flow.to().place() == Destination.Place.LOCALHOST;
    return switch (leftAlone ? new Expected.NotHandled() : flow.expected(Mode.NFTABLES)) {
      case Expected.Rejected() -> Set.of(new TableWalker.End.Rejected());
      case Expected.Dropped() -> Set.of(new TableWalker.End.Dropped());
      case Expected.NotHandled() ->
          Set.of(
              new TableWalker.End.Sent(
                  fixture.address(flow.to()), fixture.port(flow.to()), false, false));
      case Expected.Reaches(var endpoints, boolean masqueraded, _, int port) ->
          endpoints.stream()
              .map(
                  name -> new TableWalker.End.Sent(fixture.endpoint(name), port, true, masqueraded))
              .collect(Collectors.toSet());
    };
  }
}
