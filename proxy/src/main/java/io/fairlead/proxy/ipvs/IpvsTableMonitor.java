package io.fairlead.proxy.ipvs;

import io.fairlead.kernel.ipvs.VirtualServerAddress;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices what the kernel does not report: that another program emptied the table of virtual
/// servers, and that real servers which only wait for their connections to end need another check.
///
/// The loop `ipvs-monitor` checks, with a socket of its own.
final class IpvsTableMonitor implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(IpvsTableMonitor.class);
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final int LEAVING_STEPS = 60;

  private final Pacer pacer;
  private final Supplier<VirtualServers> open;
  // Set by the plane's thread.
  private volatile @Nullable VirtualServerAddress sample;
  private volatile boolean leaving;
  private volatile @Nullable SupervisedLoop loop;
  private volatile @Nullable VirtualServers opened;
  // Owned by the loop's thread.
  private int steps;

  /// @param open opens a socket for the loop alone
  IpvsTableMonitor(Pacer pacer, Supplier<VirtualServers> open) {
    this.pacer = pacer;
    this.open = open;
  }

  /// What must be there from now on.
  ///
  /// @param known a virtual server that has real servers; null when there is none
  void expect(@Nullable VirtualServerAddress known, boolean someLeave) {
    sample = known;
    leaving = someLeave;
  }

  void start(Runnable listener) {
    VirtualServers servers = open.get();
    opened = servers;
    // Native calls: not for a virtual thread.
    loop = SupervisedLoop.of("ipvs-monitor").platform().start(() -> check(servers, listener));
  }

  private void check(VirtualServers servers, Runnable listener) throws InterruptedException {
    pacer.pause(STEP);
    steps = leaving ? steps + 1 : 0;
    if (steps >= LEAVING_STEPS) {
      steps = 0;
      listener.run();
    } else if (isLost(servers)) {
      log.atWarn().log("virtual servers were removed by another program, writing them again");
      listener.run();
    }
  }

  private boolean isLost(VirtualServers servers) {
    VirtualServerAddress known = sample;
    try {
      return known != null && servers.realServers(known).isEmpty() && known.equals(sample);
    } catch (DataPlaneException e) {
      log.atWarn().setCause(e).log("cannot look for virtual servers");
      return false;
    }
  }

  @Override
  public void close() {
    SupervisedLoop running = loop;
    VirtualServers servers = opened;
    if (running != null) {
      running.close();
    }
    if (servers != null) {
      servers.close();
    }
  }
}
