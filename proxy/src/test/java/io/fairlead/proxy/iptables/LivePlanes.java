package io.fairlead.proxy.iptables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Iptables.Variant;
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
    return open(namespace, family, Variant.INSTALLED);
  }

  static IptablesPlane open(NetworkNamespace namespace, IpAddress.Family family, Variant variant) {
    boolean counters = namespace.call(Accounting::prepare);
    return new IptablesPlane(
        tool(namespace, family, variant),
        IptablesSettings.standard().withAccounting(counters),
        GoldenRulesTest.neverLooking());
  }

  static RuleTool tool(NetworkNamespace namespace, IpAddress.Family family) {
    return tool(namespace, family, Variant.INSTALLED);
  }

  static RuleTool tool(NetworkNamespace namespace, IpAddress.Family family, Variant variant) {
    return new KernelRuleTool(
        new Iptables(family(family), Tool.inside(namespace, Duration.ofMinutes(1)), variant));
  }

  static Iptables.Family family(IpAddress.Family family) {
    return family == IpAddress.Family.IPV4 ? Iptables.Family.IPV4 : Iptables.Family.IPV6;
  }
}
