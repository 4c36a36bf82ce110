package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.flows.Destination;
import io.fairlead.proxy.flows.ExpectedOutcome;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.FlowEnd;
import io.fairlead.proxy.flows.Mode;
import io.fairlead.proxy.flows.Packet;
import io.fairlead.proxy.flows.WalkedFlowsContract;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The flow table against our nftables rules and elements.
class NftablesFlowsTest extends WalkedFlowsContract<InstalledTable> {
  /// The table as it would be read back.
  @Override
  protected InstalledTable rules(Plan plan) {
    ExpectedTable state =
        ExpectedTable.of(plan, new ChainActionNumbers(), _ -> EndpointNumbering.NONE);
    IndexedElements elements = state.elements();
    NftablesChains chains = new NftablesChains(plan.node());
    Map<String, NftablesChains.Content> contents = new LinkedHashMap<>(chains.fixed());
    state.actions().used().forEach(action -> contents.put(action.chain(), chains.of(action)));
    Map<String, Chain> found = new HashMap<>();
    Map<String, List<NftRule>> rules = new HashMap<>();
    contents.forEach(
        (name, content) -> {
          found.put(name, content.chain());
          rules.put(name, content.rules());
        });
    return new InstalledTable(true, found, rules, Map.of(), List.of(), elements);
  }

  @Override
  protected Set<FlowEnd> walk(
      InstalledTable rules, IpAddress.Family family, Set<IpAddress> nodeAddresses, Packet packet) {
    return TableWalker.walk(rules, new NftablesTableLayout(family), nodeAddresses, packet);
  }

  @Override
  protected IpAddress source(Fixture fixture, Flow flow) {
    IpAddress to = fixture.address(flow.to());
    return to.isLoopback() ? to : super.source(fixture, flow);
  }

  /// No server listens on loopback: the node itself refuses what the table leaves alone.
  @Override
  protected ExpectedOutcome expected(Flow flow) {
    return flow.to().place() == Destination.Place.LOCALHOST
        ? new ExpectedOutcome.NotHandled()
        : flow.expected(Mode.NFTABLES);
  }
}
