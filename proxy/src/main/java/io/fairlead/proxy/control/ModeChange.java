package io.fairlead.proxy.control;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.mode.Modes;
import io.fairlead.proxy.node.Sysctls;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.userspace.UserspacePlane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Changes the mode of a running proxy. Used by one thread at a time.
public final class ModeChange {
  private static final Logger log = LoggerFactory.getLogger(ModeChange.class);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration GLANCE = Duration.ofMillis(5);
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
  /// @param ending whether connections through IPVS ended that did not end by themselves in time
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
    return new Result(was, to, carried(former), was.equals(Modes.IPVS), left);
  }

  /// Before a proxy in userspace mode ends: its listeners end with the process, so the kernel
  /// serves new connections until the next one comes, by the rules of the nftables mode. Those that
  /// are carried get a moment to end by themselves. The next start takes these rules away like
  /// those of any other mode. Other modes need none of this, for their rules stay.
  ///
  /// @return whether the kernel serves now
  public boolean standIn(Proxy proxy, Pacer pacer) throws InterruptedException {
    if (!proxy.mode().equals(Modes.USERSPACE)
        || !proxy.isReady()
        || !configuration.text(Modes.USERSPACE, "bind").isEmpty()) {
      return false;
    }
    Map<IpAddress.Family, DataPlane> former = proxy.planes();
    try {
      Result _ = change(proxy, Modes.NFTABLES);
    } catch (DataPlaneException e) {
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("nobody serves new connections until the next proxy of the userspace mode comes");
      return false;
    }
    for (Duration left = PATIENCE;
        carried(former) > 0 && left.isPositive();
        left = left.minus(GLANCE)) {
      pacer.pause(GLANCE);
    }
    return true;
  }

  private static int carried(Map<IpAddress.Family, DataPlane> planes) {
    return planes.values().stream()
        .mapToInt(plane -> plane instanceof UserspacePlane own ? own.connections() : 0)
        .sum();
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
