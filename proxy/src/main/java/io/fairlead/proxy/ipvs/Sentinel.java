package io.fairlead.proxy.ipvs;

import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.ipvs.Endpoint;
import io.fairlead.proxy.core.DataPlaneException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices what the kernel does not tell: that somebody emptied the table of virtual servers, and
/// that it is time to look again at real servers that only wait for their connections to end.
///
/// One thread looks, with a socket of its own; it ends with [#close].
final class Sentinel implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Sentinel.class);
  private static final Duration STEP = Duration.ofSeconds(1);
  private static final int LEAVING_STEPS = 60;

  private final Pacer pacer;
  private final Supplier<VirtualServers> open;
  // Set by the plane's thread.
  private volatile @Nullable Endpoint sample;
  private volatile boolean leaving;
  private volatile boolean closed;
  private volatile @Nullable Thread thread;

  /// @param open opens a door for the thread alone
  Sentinel(Pacer pacer, Supplier<VirtualServers> open) {
    this.pacer = pacer;
    this.open = open;
  }

  /// What to look for from now on.
  ///
  /// @param known a virtual server that has real servers; null when there is none
  void expect(@Nullable Endpoint known, boolean someLeave) {
    sample = known;
    leaving = someLeave;
  }

  void start(Runnable listener) {
    VirtualServers servers = open.get();
    thread =
        Thread.ofPlatform().daemon().name("ipvs-sentinel").start(() -> watch(servers, listener));
  }

  private void watch(VirtualServers servers, Runnable listener) {
    int steps = 0;
    try (servers) {
      while (!closed) {
        pacer.pause(STEP);
        steps = leaving ? steps + 1 : 0;
        if (steps >= LEAVING_STEPS) {
          steps = 0;
          listener.run();
        } else if (isLost(servers)) {
          log.atWarn().log("virtual servers were removed by somebody else, writing them again");
          listener.run();
        }
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private boolean isLost(VirtualServers servers) {
    Endpoint known = sample;
    try {
      return known != null && servers.realServers(known).isEmpty() && known.equals(sample);
    } catch (DataPlaneException e) {
      log.atWarn().setCause(e).log("cannot look for virtual servers");
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    Thread running = thread;
    if (running == null) {
      return;
    }
    running.interrupt();
    try {
      running.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
