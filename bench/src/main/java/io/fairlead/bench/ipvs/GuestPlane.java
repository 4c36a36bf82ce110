package io.fairlead.bench.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.KernelIptablesRunner;
import io.fairlead.proxy.ipvs.IptablesRestoreRunner;
import io.fairlead.proxy.ipvs.IpvsBackends;
import io.fairlead.proxy.ipvs.IpvsPlane;
import io.fairlead.proxy.ipvs.IpvsSettings;
import io.fairlead.proxy.ipvs.IpvsSysctls;
import io.fairlead.proxy.ipvs.KernelDummyInterface;
import io.fairlead.proxy.ipvs.KernelIpsetRunner;
import io.fairlead.proxy.ipvs.KernelVirtualServers;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.work.Pacer;
import java.nio.file.Path;
import java.time.Duration;

/// Modes on a node of the guest.
final class GuestPlane {
  private static final Duration TOOL_LIMIT = Duration.ofMinutes(10);

  private GuestPlane() {}

  static DataPlane iptables(NetworkNamespace node) {
    return new IptablesPlane(
        new KernelIptablesRunner(new Iptables(Iptables.Family.IPV4, tool(node))),
        IptablesSettings.standard(),
        new Canary(Pacer.system(), Duration.ofHours(1)));
  }

  private static CommandRunner tool(NetworkNamespace node) {
    return CommandRunner.inside(node, TOOL_LIMIT);
  }

  static DataPlane ipvs(NetworkNamespace node) {
    KernelIptablesRunner tool =
        new KernelIptablesRunner(new Iptables(Iptables.Family.IPV4, tool(node)));
    IptablesRestoreRunner rules =
        new IptablesRestoreRunner() {
          @Override
          public void restore(String document) {
            tool.restore(document);
          }

          @Override
          public String save(String table) {
            return tool.save(table);
          }
        };
    return node.call(
        () ->
            IpvsPlane.open(
                new IpvsBackends(
                    KernelVirtualServers.open(),
                    KernelDummyInterface.open(IpAddress.Family.IPV4),
                    new KernelIpsetRunner(tool(node)),
                    rules,
                    new IpvsSysctls(
                        new SysctlFiles(Path.of("/proc/sys")),
                        Path.of("/run/sysctls-" + node.name()))),
                IpAddress.Family.IPV4,
                IpvsSettings.standard(),
                Pacer.system(),
                () -> node.call(KernelVirtualServers::open)));
  }
}
