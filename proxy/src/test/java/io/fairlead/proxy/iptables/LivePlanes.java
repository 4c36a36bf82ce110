package io.fairlead.proxy.iptables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.flows.Lab;
import java.time.Duration;

/// Planes whose tools work inside a network namespace.
final class LivePlanes {
  private LivePlanes() {}

  static IptablesPlane open(Lab lab, IpAddress.Family family) {
    return open(lab.node(), family);
  }

  static IptablesPlane open(NetworkNamespace namespace, IpAddress.Family family) {
    boolean counters = namespace.call(Accounting::prepare);
    return new IptablesPlane(
        tool(namespace, family),
        IptablesSettings.standard().withAccounting(counters),
        GoldenRulesTest.neverLooking());
  }

  static RuleTool tool(NetworkNamespace namespace, IpAddress.Family family) {
    return new KernelRuleTool(
        new Iptables(
            family == IpAddress.Family.IPV4 ? Iptables.Family.IPV4 : Iptables.Family.IPV6,
            Tool.inside(namespace, Duration.ofMinutes(1))));
  }
}
