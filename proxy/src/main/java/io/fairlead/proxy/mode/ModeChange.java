package io.fairlead.proxy.mode;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.node.NodeFactsBuilder;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.runtime.Proxy;
import io.fairlead.proxy.userspace.UserspacePlane;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Changes the mode of a running proxy for a command: checks that this machine has the mode, opens
/// its planes, has the proxy switch to them (`runtime.ModeSwitch` says in which order), and sets
/// the sysctls a mode needs. Used by one thread at a time.
public final class ModeChange {
  private static final Logger log = LoggerFactory.getLogger(ModeChange.class);
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);
  private static final Duration DRAIN_CHECK = Duration.ofMillis(5);

  private final ProxyConfiguration configuration;
  private final ProxyModes modes;
  private final LoopbackGuard loopback;

  public ModeChange(ProxyConfiguration configuration, ProxyModes modes, SysctlFiles sysctls) {
    this.configuration = configuration;
    this.modes = modes;
    this.loopback = new LoopbackGuard(sysctls);
  }

  /// What came of it.
  ///
  /// @param carried TCP connections that the userspace mode still carries: they go on until they
  ///   end, or until the proxy does
  /// @param ending whether connections through IPVS ended that did not end by themselves in time
  /// @param left what of the former mode could not be taken away
  public record Result(
      ProxyMode was, ProxyMode now, int carried, boolean ending, List<String> left) {
    public Result {
      left = List.copyOf(left);
    }
  }

  /// @throws DataPlaneException when the mode cannot be had here; nothing has changed then
  public Result change(Proxy proxy, ProxyMode to) {
    ProxyMode was = proxy.mode();
    if (to == was) {
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
    return new Result(was, to, carried(former), was == ProxyMode.IPVS, left);
  }

  /// Before a proxy in userspace mode ends: its listeners end with the process, so the kernel
  /// serves new connections until the next one comes, by the rules of the nftables mode. Those that
  /// are carried get a moment to end by themselves. The next start takes these rules away like
  /// those of any other mode. Other modes need none of this, for their rules stay.
  ///
  /// @return whether the kernel serves now
  public boolean standIn(Proxy proxy, Pacer pacer) throws InterruptedException {
    if (proxy.mode() != ProxyMode.USERSPACE
        || !proxy.isReady()
        || !configuration.text(ProxyMode.USERSPACE, "bind").isEmpty()) {
      return false;
    }
    Map<IpAddress.Family, DataPlane> former = proxy.planes();
    try {
      Result _ = change(proxy, ProxyMode.NFTABLES);
    } catch (DataPlaneException e) {
      log.atWarn()
          .addKeyValue("why", e.getMessage())
          .log("new connections are refused until the next proxy of the userspace mode comes");
      return false;
    }
    for (Duration left = DRAIN_LIMIT;
        carried(former) > 0 && left.isPositive();
        left = left.minus(DRAIN_CHECK)) {
      pacer.pause(DRAIN_CHECK);
    }
    return true;
  }

  private static int carried(Map<IpAddress.Family, DataPlane> planes) {
    return planes.values().stream()
        .mapToInt(plane -> plane instanceof UserspacePlane own ? own.connections() : 0)
        .sum();
  }

  /// Opens 127.0.0.0/8 for node ports where the configuration asks for it in a mode that needs it,
  /// and keeps neighbours out in every mode. To be called when the rules of the mode are there, and
  /// before those of others go: another proxy's may have been the guard.
  public void enter(ProxyMode mode) {
    if (mode == ProxyMode.IPTABLES && NodeFactsBuilder.servesLocalhost(configuration, mode)) {
      loopback.open();
      return;
    }
    loopback.keep();
    if (mode == ProxyMode.IPTABLES) {
      log.atInfo().log(
          "node ports do not answer on 127.0.0.1, only on the node's other addresses;"
              + " --iptables-localhost-nodeports=true lets them, and sets route_localnet");
    }
  }

  /// Shuts it again, before the rules of the mode go.
  private void leave(ProxyMode mode) {
    if (mode == ProxyMode.IPTABLES) {
      loopback.shut();
    }
  }

  /// When the proxy ends: rules stay, but a guard that has no owner can be flushed. So 127.0.0.0/8
  /// is shut until the next proxy comes.
  public void end() {
    loopback.shut();
    loopback.close();
  }

  /// What `--cleanup` does for 127.0.0.0/8: the sysctl is as it was found, the guard is gone.
  ///
  /// @return what went wrong
  public static List<String> cleanUpLoopback(SysctlFiles sysctls) {
    try {
      LoopbackGuard.cleanUp(sysctls);
      return List.of();
    } catch (SystemCallException e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }
}
