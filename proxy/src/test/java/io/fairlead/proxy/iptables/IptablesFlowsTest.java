package io.fairlead.proxy.iptables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.flows.ExpectedOutcome;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.FlowEnd;
import io.fairlead.proxy.flows.Mode;
import io.fairlead.proxy.flows.Packet;
import io.fairlead.proxy.flows.WalkedFlowsContract;
import io.fairlead.proxy.testing.FakeIptables;
import io.fairlead.proxy.testing.PlanFollower;
import java.util.Set;

/// The flow table against our iptables rules.
class IptablesFlowsTest extends WalkedFlowsContract<FakeIptables> {
  @Override
  protected FakeIptables rules(Plan plan) {
    FakeIptables tool = new FakeIptables();
    try (IptablesPlane plane = GoldenRulesTest.plane(tool)) {
      PlanFollower.apply(plane, plan);
    }
    return tool;
  }

  @Override
  protected Set<FlowEnd> walk(
      FakeIptables rules, IpAddress.Family family, Set<IpAddress> nodeAddresses, Packet packet) {
    return RuleWalker.walk(rules, nodeAddresses, packet);
  }

  @Override
  protected ExpectedOutcome expected(Flow flow) {
    return flow.expected(Mode.IPTABLES);
  }
}
