package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.iptables.KernelIptablesRunner;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.work.Pacer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// A network namespace of a guest as the node, with the kernel's backends.
public record GuestNode(NetworkNamespace namespace) {

  CommandRunner tool() {
    return CommandRunner.inside(namespace, Duration.ofMinutes(1));
  }

  public IpvsPlane plane(IpAddress.Family family, IpvsSettings settings) {
    return namespace.call(
        () ->
            IpvsPlane.open(
                backends(family), family, settings, Pacer.system(), this::anotherBackend));
  }

  private VirtualServers anotherBackend() {
    return namespace.call(KernelVirtualServers::open);
  }

  IpvsBackends backends(IpAddress.Family family) {
    return namespace.call(
        () ->
            new IpvsBackends(
                KernelVirtualServers.open(),
                KernelDummyInterface.open(family),
                new KernelIpsetRunner(tool()),
                FakeNode.tool(
                    new KernelIptablesRunner(
                        new Iptables(
                            family == IpAddress.Family.IPV4
                                ? Iptables.Family.IPV4
                                : Iptables.Family.IPV6,
                            tool()))),
                new IpvsSysctls(
                    new SysctlFiles(Path.of("/proc/sys")),
                    Path.of("/run/fairlead-" + namespace.name() + "-sysctls"))));
  }

  /// Runs a tool and returns what it printed; failing is an error.
  public String must(String... words) {
    CommandRunner.Result result = tool().run("", List.of(words));
    if (!result.succeeded()) {
      throw new IllegalStateException(String.join(" ", words) + ": " + result.error());
    }
    return result.output();
  }

  /// Runs lines of a shell one after another; one that fails is an error.
  public String script(String lines) {
    CommandRunner.Result result = tool().run("set -e\n" + lines, List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException(lines + ": " + result.output() + result.error());
    }
    return result.output();
  }

  /// Everything in one process: starting one is what takes long in a guest.
  public KernelState state() {
    String[] parts =
        script(
                """
                ipvsadm -Sn
                echo =====
                ipset save
                echo =====
                ip addr show dev kube-ipvs0 2>/dev/null || true
                echo =====
                iptables-save
                echo =====
                ip6tables-save
                """)
            .split("=====", -1);
    Map<IpAddress.Family, String> dumps = new EnumMap<>(IpAddress.Family.class);
    dumps.put(IpAddress.Family.IPV4, parts[3]);
    dumps.put(IpAddress.Family.IPV6, parts[4]);
    return KernelState.of(parts[0], parts[1], parts[2], dumps);
  }
}
