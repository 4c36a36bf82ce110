package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.process.Tool;
import io.fairlead.proxy.iptables.KernelRuleTool;
import io.fairlead.proxy.node.Sysctls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// A network namespace of a guest as the node, with the true doors.
public record GuestNode(NetworkNamespace namespace) {

  Tool tool() {
    return Tool.inside(namespace, Duration.ofMinutes(1));
  }

  public IpvsPlane plane(IpAddress.Family family, IpvsSettings settings) {
    return namespace.call(
        () -> IpvsPlane.open(doors(family), family, settings, Pacer.system(), this::anotherDoor));
  }

  private VirtualServers anotherDoor() {
    return namespace.call(KernelVirtualServers::open);
  }

  Doors doors(IpAddress.Family family) {
    return namespace.call(
        () ->
            new Doors(
                KernelVirtualServers.open(),
                KernelDevice.open(family),
                new KernelSetTool(tool()),
                FakeNode.tool(
                    new KernelRuleTool(
                        new Iptables(
                            family == IpAddress.Family.IPV4
                                ? Iptables.Family.IPV4
                                : Iptables.Family.IPV6,
                            tool()))),
                new KernelNumbers(
                    new Sysctls(Path.of("/proc/sys")),
                    Path.of("/run/fairlead-" + namespace.name() + "-sysctls"))));
  }

  /// Runs a tool and returns what it printed; failing is an error.
  public String must(String... words) {
    Tool.Result result = tool().run("", List.of(words));
    if (!result.succeeded()) {
      throw new IllegalStateException(String.join(" ", words) + ": " + result.error());
    }
    return result.output();
  }

  /// Runs lines of a shell one after another; one that fails is an error.
  public String script(String lines) {
    Tool.Result result = tool().run("set -e\n" + lines, List.of("sh"));
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
