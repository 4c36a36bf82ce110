package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.flows.Destination;
import io.fairlead.proxy.flows.ExpectedOutcome;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.LiveFlowsContract;
import io.fairlead.proxy.flows.Mode;

/// The flow table with real packets that this process carries.
class LiveUserspaceFlowsTest extends LiveFlowsContract {
  @Override
  protected DataPlane open(Lab lab, IpAddress.Family family) {
    return UserspaceTestPlanes.inNode(lab, family);
  }

  /// As in nftables mode, but endpoints always see an address of the node, and loopback is served
  /// as in iptables mode.
  @Override
  protected ExpectedOutcome expected(Flow flow) {
    ExpectedOutcome usual =
        flow.expected(
            flow.to().place() == Destination.Place.LOCALHOST ? Mode.IPTABLES : Mode.NFTABLES);
    return usual instanceof ExpectedOutcome.Reaches(var endpoints, _, boolean sticky, int port)
        ? new ExpectedOutcome.Reaches(endpoints, true, sticky, port)
        : usual;
  }
}
