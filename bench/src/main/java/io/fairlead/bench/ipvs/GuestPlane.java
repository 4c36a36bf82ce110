package io.fairlead.bench.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.proxy.core.DataPlane;
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

/// The ipvs mode on a site's node.
final class GuestPlane {
  private GuestPlane() {}

  static DataPlane open(Site site) {
    KernelRuleTool tool = new KernelRuleTool(new Iptables(Iptables.Family.IPV4, site.tool()));
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
    return site.node()
        .call(
            () ->
                IpvsPlane.open(
                    new Doors(
                        KernelVirtualServers.open(),
                        KernelDevice.open(IpAddress.Family.IPV4),
                        new KernelSetTool(site.tool()),
                        rules,
                        new KernelNumbers(
                            new Sysctls(Path.of("/proc/sys")),
                            Path.of("/run/sysctls-" + site.node().name()))),
                    IpAddress.Family.IPV4,
                    IpvsSettings.standard(),
                    Pacer.system(),
                    KernelVirtualServers::open));
  }
}
