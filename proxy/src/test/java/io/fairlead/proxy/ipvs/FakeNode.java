package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.ipvs.ListedRealServer;
import io.fairlead.kernel.ipvs.ListedVirtualServer;
import io.fairlead.kernel.ipvs.RealServer;
import io.fairlead.kernel.ipvs.VirtualServer;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.testing.FakeDummyInterface;
import io.fairlead.proxy.testing.FakeIpset;
import io.fairlead.proxy.testing.FakeIptables;
import io.fairlead.proxy.testing.FakeVirtualServers;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// A node with a kernel in memory, and the planes of both families on it.
final class FakeNode {
  final FakeVirtualServers servers =
      new FakeVirtualServers(Set.of("rr", "wrr", "lc", "wlc", "sh", "dh", "mh", "sed", "nq"));
  final FakeIpset sets = new FakeIpset();
  final Map<IpAddress.Family, FakeIptables> tables = new EnumMap<>(IpAddress.Family.class);
  final Map<IpAddress.Family, FakeDummyInterface> devices = new EnumMap<>(IpAddress.Family.class);
  private static final List<String> SETTINGS =
      List.of(
          "net/ipv4/vs/conntrack",
          "net/ipv4/vs/conn_reuse_mode",
          "net/ipv4/vs/expire_nodest_conn",
          "net/ipv4/vs/expire_quiescent_template",
          "net/ipv4/ip_forward",
          "net/ipv4/conf/all/arp_ignore",
          "net/ipv4/conf/all/arp_announce");

  private final Path proc;

  /// @param proc an empty directory that plays `/proc/sys`
  FakeNode(Path proc) {
    this.proc = proc;
    SETTINGS.forEach(name -> write(proc.resolve(name), "0"));
    write(proc.resolve("kernel/osrelease"), "6.1.0");
    for (IpAddress.Family family : IpAddress.Family.values()) {
      tables.put(family, new FakeIptables());
    }
    devices.put(
        IpAddress.Family.IPV4,
        new FakeDummyInterface(
            Set.of(IpAddress.parse("192.0.2.10"), IpAddress.parse("192.0.2.11"))));
    devices.put(
        IpAddress.Family.IPV6, new FakeDummyInterface(Set.of(IpAddress.parse("2001:db8:2::10"))));
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.resolveSibling("."));
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  FakeIptables tables(IpAddress.Family family) {
    return Objects.requireNonNull(tables.get(family));
  }

  FakeDummyInterface device(IpAddress.Family family) {
    return Objects.requireNonNull(devices.get(family));
  }

  /// A setting of the kernel.
  int setting(String name) {
    return new SysctlFiles(proc).read(name, -1);
  }

  IpvsPlane plane(IpAddress.Family family, IpvsSettings settings) {
    return plane(family, settings, () -> {});
  }

  /// @param beforeRules runs each time before rules are written
  IpvsPlane plane(IpAddress.Family family, IpvsSettings settings, Runnable beforeRules) {
    IptablesRestoreRunner tool = tool(tables(family));
    IptablesRestoreRunner watched =
        new IptablesRestoreRunner() {
          @Override
          public void restore(String document) {
            beforeRules.run();
            tool.restore(document);
          }

          @Override
          public String save(String table) {
            return tool.save(table);
          }
        };
    return IpvsPlane.open(
        new IpvsBackends(
            servers,
            device(family),
            sets,
            watched,
            new IpvsSysctls(new SysctlFiles(proc), proc.resolve("record"))),
        family,
        settings,
        Pacer.system(),
        () -> servers);
  }

  /// The shared tool of another mode, as this mode sees it.
  static IptablesRestoreRunner tool(io.fairlead.proxy.iptables.IptablesRunner tool) {
    return new IptablesRestoreRunner() {
      @Override
      public void restore(String document) {
        tool.restore(document);
      }

      @Override
      public String save(String table) {
        return tool.save(table);
      }
    };
  }

  KernelState state() {
    StringBuilder lines = new StringBuilder();
    for (ListedVirtualServer listed : servers.servers()) {
      VirtualServer server = listed.server();
      String place = place(server);
      lines.append("-A ").append(place).append(" -s ").append(server.scheduler());
      if ((server.flags() & VirtualServer.PERSISTENT) != 0) {
        lines.append(" -p ").append(server.timeout());
      }
      if ((server.flags() & VirtualServer.SCHEDULER_PORT) != 0) {
        lines.append(" -b mh-port");
      }
      lines.append('\n');
      for (ListedRealServer real : servers.realServers(server.endpoint())) {
        lines.append("-a ").append(place).append(" -r ").append(text(real.server()));
        lines.append(" -m -w ").append(real.server().weight()).append('\n');
      }
    }
    String addresses =
        devices.values().stream()
            .flatMap(device -> device.addresses().stream())
            .map(
                address ->
                    (address.isIpv4() ? "inet " : "inet6 ")
                        + address
                        + "/"
                        + address.family().bits())
            .collect(Collectors.joining("\n"));
    Map<IpAddress.Family, String> dumps = new EnumMap<>(IpAddress.Family.class);
    tables.forEach(
        (family, tool) -> dumps.put(family, tool.save("nat") + "\n" + tool.save("filter")));
    return KernelState.of(lines.toString(), sets.save(), addresses, dumps);
  }

  private static String place(VirtualServer server) {
    String option =
        switch (server.endpoint().protocolName()) {
          case "tcp" -> "-t ";
          case "udp" -> "-u ";
          default -> "--sctp-service ";
        };
    return option + text(new RealServer(server.endpoint().address(), server.endpoint().port(), 0));
  }

  private static String text(RealServer real) {
    IpAddress address = IpAddress.ofBytes(real.address().getAddress());
    return (address.isIpv4() ? address : "[" + address + "]") + ":" + real.port();
  }
}
