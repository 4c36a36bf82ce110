package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.flows.ExpectedOutcome;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Flow;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.LiveFlowsContract;
import io.fairlead.proxy.flows.Mode;
import io.fairlead.proxy.flows.Origin;
import java.util.Set;

/// The flow table with real packets through the kernel's load balancer.
class LiveIpvsFlowsInGuest extends LiveFlowsContract {
  @Override
  protected DataPlane open(Lab lab, IpAddress.Family family) {
    return new GuestNode(lab.node()).plane(family, IpvsSettings.standard());
  }

  /// Where this mode differs, as the original's does: the load balancer does not know who calls, so
  /// there is no way around a Local policy for pods and the node; without local endpoints those of
  /// the cluster serve, and without any it refuses; ports of a Service that are not defined are
  /// refused; loopback is not served. The node is kept from a load balancer address only when it
  /// takes that address for its source, which callers of the table do not.
  @Override
  protected ExpectedOutcome expected(Flow flow) {
    return switch (flow.id()) {
      case "F5" -> new ExpectedOutcome.NotHandled();
      case "F7", "F8" -> preserved("L1");
      case "F11", "F12" -> preserved("R1");
      case "F15", "F25" -> new ExpectedOutcome.Rejected();
      case "F20" -> flow.from() == Origin.NODE ? masqueraded("L1") : flow.expected(Mode.IPTABLES);
      case "F28" -> preserved(flow.to().service().equals("local") ? "L1" : "R1");
      case "F33" ->
          flow.expected(Mode.IPTABLES) instanceof ExpectedOutcome.NotHandled
              ? new ExpectedOutcome.Rejected()
              : flow.expected(Mode.IPTABLES);
      default -> flow.expected(Mode.IPTABLES);
    };
  }

  private static ExpectedOutcome preserved(String endpoint) {
    return new ExpectedOutcome.Reaches(Set.of(endpoint), false, false, Fixture.TARGET_PORT);
  }

  private static ExpectedOutcome masqueraded(String endpoint) {
    return new ExpectedOutcome.Reaches(Set.of(endpoint), true, false, Fixture.TARGET_PORT);
  }
}
