package io.fairlead.proxy.mode;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.IpvsTimeouts;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.ipvs.DummyInterface;
import io.fairlead.proxy.ipvs.IptablesRestoreRunner;
import io.fairlead.proxy.ipvs.IpvsBackends;
import io.fairlead.proxy.ipvs.IpvsPlane;
import io.fairlead.proxy.ipvs.IpvsSettings;
import io.fairlead.proxy.ipvs.IpvsSupport;
import io.fairlead.proxy.ipvs.IpvsSysctls;
import io.fairlead.proxy.ipvs.KernelDummyInterface;
import io.fairlead.proxy.ipvs.KernelIpsetRunner;
import io.fairlead.proxy.ipvs.KernelVirtualServers;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.work.Pacer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Opens the ipvs mode with what the configuration says.
///
/// @param tool where programs run
record IpvsMode(ProxyConfiguration configuration, SysctlFiles sysctls, CommandRunner tool) {
  private static final Path RECORD = Path.of("/run/fairlead/ipvs-sysctls");

  /// Why the mode cannot be used here; empty when it can.
  Optional<String> problem() {
    return IpvsSupport.problem(settings().scheduler(), tool);
  }

  DataPlane open(IpAddress.Family family, io.fairlead.proxy.iptables.IptablesRunner rules) {
    return IpvsPlane.open(
        backends(family, rules), family, settings(), Pacer.system(), KernelVirtualServers::open);
  }

  /// Removes what the mode left; asks IPVS only where there are traces of it.
  ///
  /// @param how what to call for that
  void remove(
      IpAddress.Family family,
      io.fairlead.proxy.iptables.IptablesRunner rules,
      Consumer<DataPlane> how) {
    if (!hasTraces(family, rules)) {
      return;
    }
    try (IpvsPlane plane = IpvsPlane.toRemove(backends(family, rules), family, settings())) {
      how.accept(plane);
    }
  }

  private static boolean hasTraces(
      IpAddress.Family family, io.fairlead.proxy.iptables.IptablesRunner rules) {
    try (DummyInterface device = KernelDummyInterface.open(family)) {
      return device.isThere() || rules.save("filter").contains(":KUBE-IPVS-FILTER ");
    }
  }

  private IpvsBackends backends(
      IpAddress.Family family, io.fairlead.proxy.iptables.IptablesRunner rules) {
    return new IpvsBackends(
        KernelVirtualServers.open(),
        KernelDummyInterface.open(family),
        new KernelIpsetRunner(tool),
        new IptablesRestoreRunner() {
          @Override
          public void restore(String document) {
            rules.restore(document);
          }

          @Override
          public String save(String table) {
            return rules.save(table);
          }
        },
        new IpvsSysctls(sysctls, RECORD));
  }

  private IpvsSettings settings() {
    List<Cidr> excluded = new ArrayList<>();
    for (String text : configuration.list(ProxyMode.IPVS, "excludeCIDRs")) {
      Cidr range = Cidr.parseOrNull(text);
      if (range != null) {
        excluded.add(range);
      }
    }
    return new IpvsSettings(
        configuration.text(ProxyMode.IPVS, "scheduler"),
        excluded,
        configuration.on(ProxyMode.IPVS, "strictARP"),
        new IpvsTimeouts(
            (int) configuration.time(ProxyMode.IPVS, "tcpTimeout").toSeconds(),
            (int) configuration.time(ProxyMode.IPVS, "tcpFinTimeout").toSeconds(),
            (int) configuration.time(ProxyMode.IPVS, "udpTimeout").toSeconds()));
  }
}
