package io.fairlead.proxy.iptables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Iptables.Variant;
import io.fairlead.kernel.syscall.NetworkNamespace;
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
    boolean counters = namespace.call(NfacctCounters::prepare);
    return new IptablesPlane(
        tool(namespace, family, variant),
        IptablesSettings.standard().withAccounting(counters),
        GoldenRulesTest.neverLooking());
  }

  static IptablesRunner tool(NetworkNamespace namespace, IpAddress.Family family) {
    return tool(namespace, family, Variant.INSTALLED);
  }

  static IptablesRunner tool(NetworkNamespace namespace, IpAddress.Family family, Variant variant) {
    return new KernelIptablesRunner(
        new Iptables(
            family(family), CommandRunner.inside(namespace, Duration.ofMinutes(1)), variant));
  }

  static Iptables.Family family(IpAddress.Family family) {
    return family == IpAddress.Family.IPV4 ? Iptables.Family.IPV4 : Iptables.Family.IPV6;
  }
}
