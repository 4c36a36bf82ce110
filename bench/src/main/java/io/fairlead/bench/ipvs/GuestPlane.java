package io.fairlead.bench.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.KernelRuleTool;
import io.fairlead.proxy.ipvs.Doors;
import io.fairlead.proxy.ipvs.IpvsPlane;
import io.fairlead.proxy.ipvs.IpvsSettings;
import io.fairlead.proxy.ipvs.KernelDevice;
import io.fairlead.proxy.ipvs.KernelNumbers;
import io.fairlead.proxy.ipvs.KernelSetTool;
import io.fairlead.proxy.ipvs.KernelVirtualServers;
import io.fairlead.proxy.ipvs.RuleTool;
import io.fairlead.proxy.node.Sysctls;
import java.nio.file.Path;
import java.time.Duration;

/// Modes on a node of the guest.
final class GuestPlane {
  private static final Duration TOOL_LIMIT = Duration.ofMinutes(10);

  private GuestPlane() {}

  static DataPlane iptables(NetworkNamespace node) {
    return new IptablesPlane(
        new KernelRuleTool(new Iptables(Iptables.Family.IPV4, tool(node))),
        IptablesSettings.standard(),
        new Canary(Pacer.system(), Duration.ofHours(1)));
  }

  private static Tool tool(NetworkNamespace node) {
    return Tool.inside(node, TOOL_LIMIT);
  }

  static DataPlane ipvs(NetworkNamespace node) {
    KernelRuleTool tool = new KernelRuleTool(new Iptables(Iptables.Family.IPV4, tool(node)));
    RuleTool rules =
        new RuleTool() {
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
                new Doors(
                    KernelVirtualServers.open(),
                    KernelDevice.open(IpAddress.Family.IPV4),
                    new KernelSetTool(tool(node)),
                    rules,
                    new KernelNumbers(
                        new Sysctls(Path.of("/proc/sys")), Path.of("/run/sysctls-" + node.name()))),
                IpAddress.Family.IPV4,
                IpvsSettings.standard(),
                Pacer.system(),
                () -> node.call(KernelVirtualServers::open)));
  }
}
