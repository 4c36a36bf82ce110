package io.fairlead.proxy.mode;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.ipvs.Timeouts;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.ipvs.Device;
import io.fairlead.proxy.ipvs.Doors;
import io.fairlead.proxy.ipvs.IpvsPlane;
import io.fairlead.proxy.ipvs.IpvsSettings;
import io.fairlead.proxy.ipvs.IpvsSupport;
import io.fairlead.proxy.ipvs.KernelDevice;
import io.fairlead.proxy.ipvs.KernelNumbers;
import io.fairlead.proxy.ipvs.KernelSetTool;
import io.fairlead.proxy.ipvs.KernelVirtualServers;
import io.fairlead.proxy.ipvs.RuleTool;
import io.fairlead.proxy.node.Sysctls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Opens the ipvs mode with what the configuration says.
///
/// @param tool where programs run
record IpvsMode(ProxyConfiguration configuration, Sysctls sysctls, Tool tool) {
  private static final Path RECORD = Path.of("/run/fairlead/ipvs-sysctls");

  /// Why the mode cannot be used here; empty when it can.
  Optional<String> problem() {
    return IpvsSupport.problem(settings().scheduler(), tool);
  }

  DataPlane open(IpAddress.Family family, io.fairlead.proxy.iptables.RuleTool rules) {
    return IpvsPlane.open(
        doors(family, rules), family, settings(), Pacer.system(), KernelVirtualServers::open);
  }

  /// Takes away what the mode left; looks for IPVS only where there are traces of it.
  void remove(
      IpAddress.Family family, io.fairlead.proxy.iptables.RuleTool rules, String successor) {
    if (!hasTraces(family, rules)) {
      return;
    }
    try (IpvsPlane plane = IpvsPlane.toRemove(doors(family, rules), family, settings())) {
      plane.removeBeside(successor);
    }
  }

  private static boolean hasTraces(
      IpAddress.Family family, io.fairlead.proxy.iptables.RuleTool rules) {
    try (Device device = KernelDevice.open(family)) {
      return device.isThere() || rules.save("filter").contains(":KUBE-IPVS-FILTER ");
    }
  }

  private Doors doors(IpAddress.Family family, io.fairlead.proxy.iptables.RuleTool rules) {
    return new Doors(
        KernelVirtualServers.open(),
        KernelDevice.open(family),
        new KernelSetTool(tool),
        new RuleTool() {
          @Override
          public void restore(String document) {
            rules.restore(document);
          }

          @Override
          public String save(String table) {
            return rules.save(table);
          }
        },
        new KernelNumbers(sysctls, RECORD));
  }

  private IpvsSettings settings() {
    List<Cidr> excluded = new ArrayList<>();
    for (String text : configuration.list(Modes.IPVS, "excludeCIDRs")) {
      Cidr range = Cidr.parseOrNull(text);
      if (range != null) {
        excluded.add(range);
      }
    }
    return new IpvsSettings(
        configuration.text(Modes.IPVS, "scheduler"),
        excluded,
        configuration.on(Modes.IPVS, "strictARP"),
        new Timeouts(
            (int) configuration.time(Modes.IPVS, "tcpTimeout").toSeconds(),
            (int) configuration.time(Modes.IPVS, "tcpFinTimeout").toSeconds(),
            (int) configuration.time(Modes.IPVS, "udpTimeout").toSeconds()));
  }
}
