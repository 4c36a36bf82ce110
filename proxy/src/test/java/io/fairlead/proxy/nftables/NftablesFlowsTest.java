package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Rule;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.flows.Destination;
import io.fairlead.proxy.flows.End;
import io.fairlead.proxy.flows.Expected;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.Mode;
import io.fairlead.proxy.flows.Packet;
import io.fairlead.proxy.flows.WalkedFlowsContract;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The flow table against our nftables rules and elements.
class NftablesFlowsTest extends WalkedFlowsContract<Found> {
  /// The table as it would be read back.
  @Override
  protected Found rules(Plan plan) {
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

  @Override
  protected Set<End> walk(
      Found rules, IpAddress.Family family, Set<IpAddress> nodeAddresses, Packet packet) {
    return TableWalker.walk(rules, new Layout(family), nodeAddresses, packet);
  }

  @Override
  protected IpAddress source(Fixture fixture, Flow flow) {
    IpAddress to = fixture.address(flow.to());
    return to.isLoopback() ? to : super.source(fixture, flow);
  }

  /// Nobody listens on loopback: the node itself refuses what the table leaves alone.
  @Override
  protected Expected expected(Flow flow) {
    return flow.to().place() == Destination.Place.LOCALHOST
        ? new Expected.NotHandled()
        : flow.expected(Mode.NFTABLES);
  }
}
