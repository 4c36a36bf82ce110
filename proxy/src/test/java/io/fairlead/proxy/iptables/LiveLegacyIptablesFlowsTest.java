package io.fairlead.proxy.iptables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.Iptables.Variant;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.ExpectedOutcome;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.LiveFlowsContract;
import io.fairlead.proxy.flows.Mode;
import java.util.stream.Stream;

/// The flow table with real packets through rules that the legacy variant of the tools has put into
/// the kernel's old interface.
class LiveLegacyIptablesFlowsTest extends LiveFlowsContract {
  @Override
  protected DataPlane open(Lab lab, IpAddress.Family family) {
    return LivePlanes.open(lab.node(), family, Variant.LEGACY);
  }

  @Override
  protected ExpectedOutcome expected(Flow flow) {
    return flow.expected(Mode.IPTABLES);
  }

  @Override
  protected Stream<Fixture> fixtures() {
    return Stream.of(
        new Fixture(IpAddress.Family.IPV4, Protocol.TCP),
        new Fixture(IpAddress.Family.IPV6, Protocol.UDP));
  }
}
