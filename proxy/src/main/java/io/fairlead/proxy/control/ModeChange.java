package io.fairlead.proxy.control;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.mode.Modes;
import io.fairlead.proxy.node.Sysctls;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.userspace.UserspacePlane;
import java.util.List;
import java.util.Map;

/// Changes the mode of a running proxy. Used by one thread at a time.
public final class ModeChange {
  private static final String ROUTE_LOCALNET = "net/ipv4/conf/all/route_localnet";

  private final ProxyConfiguration configuration;
  private final Modes modes;
  private final Sysctls sysctls;
  private final int routeLocalnet;

  /// To be made before any mode has written to the kernel.
  public ModeChange(ProxyConfiguration configuration, Modes modes, Sysctls sysctls) {
    this.configuration = configuration;
    this.modes = modes;
    this.sysctls = sysctls;
    this.routeLocalnet = sysctls.read(ROUTE_LOCALNET, 0);
  }

  /// What came of it.
  ///
  /// @param carried TCP connections that the userspace mode still carries: they go on until they
  ///   end, or until the proxy does
  /// @param ending whether connections through IPVS end
  /// @param left what of the former mode could not be taken away
  public record Result(String was, String now, int carried, boolean ending, List<String> left) {
    public Result {
      left = List.copyOf(left);
    }
  }

  /// @throws DataPlaneException when the mode is unknown or cannot be had here; nothing has changed
  ///   then
  public Result change(Proxy proxy, String to) {
    String was = proxy.mode();
    if (!Modes.ALL.contains(to)) {
      throw new DataPlaneException(
          "there is no mode \"" + to + "\"; there are " + String.join(", ", Modes.ALL));
    }
    if (to.equals(was)) {
      return new Result(was, to, 0, false, List.of());
    }
    modes
        .problem(to)
        .ifPresent(
            why -> {
              throw new DataPlaneException(why);
            });
    Map<IpAddress.Family, DataPlane> former = proxy.planes();
    List<String> left = proxy.change(to, modes.open(to), () -> leave(was));
    enter(to);
    int carried =
        former.values().stream()
            .mapToInt(plane -> plane instanceof UserspacePlane own ? own.connections() : 0)
            .sum();
    return new Result(was, to, carried, was.equals(Modes.IPVS), left);
  }

  /// Opens 127.0.0.0/8 for node ports where a mode needs that and guards it with a rule; to be
  /// called when the rule is there.
  public void enter(String mode) {
    if (mode.equals(Modes.IPTABLES) && configuration.on(Modes.IPTABLES, "localhostNodePorts")) {
      boolean _ = sysctls.write(ROUTE_LOCALNET, 1);
    }
  }

  /// Shuts it again, before the rule goes.
  private void leave(String mode) {
    if (mode.equals(Modes.IPTABLES) && routeLocalnet == 0) {
      boolean _ = sysctls.write(ROUTE_LOCALNET, 0);
    }
  }
}
