package io.fairlead.proxy.iptables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.flows.ExpectedOutcome;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.LiveFlowsContract;
import io.fairlead.proxy.flows.Mode;

/// The flow table with real packets through rules that `iptables-restore` has put into a kernel.
class LiveIptablesFlowsTest extends LiveFlowsContract {
  @Override
  protected DataPlane open(Lab lab, IpAddress.Family family) {
    return LivePlanes.open(lab, family);
  }

  @Override
  protected ExpectedOutcome expected(Flow flow) {
    return flow.expected(Mode.IPTABLES);
  }
}
