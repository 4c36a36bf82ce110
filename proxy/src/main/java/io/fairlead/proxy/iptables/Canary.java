package io.fairlead.proxy.iptables;

import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.work.Pacer;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices that another program changed our rules, a reload of a firewall for instance, in two
/// ways. Where the kernel reports changes, a moment of quiet after them is enough. Everywhere, the
/// canary checks from time to time that a chain which does nothing is there; when it is gone from
/// one table, the others get a moment to go too, so that the repair comes after the reload and not
/// in its middle.
///
/// Two loops, `iptables-canary` and `iptables-changes`; both end with [#close].
public final class Canary implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Canary.class);
  private static final Duration STEP = Duration.ofMillis(100);
  private static final int STEPS = 50;
  private static final Duration QUIET = Duration.ofMillis(20);
  private static final int MOST_QUIET_STEPS = 25;

  private final Pacer pacer;
  private final Duration period;
  private final Semaphore changes = new Semaphore(0);
  private @Nullable SupervisedLoop checking;
  private @Nullable SupervisedLoop listening;
  private IptablesRunner.@Nullable Watch watch;
  // Owned by the loop that checks.
  private boolean seen;

  /// @param period how often to check
  public Canary(Pacer pacer, Duration period) {
    this.pacer = pacer;
    this.period = period;
  }

  void start(IptablesRunner tool, Runnable listener) {
    checking = SupervisedLoop.of("iptables-canary").start(() -> check(tool, listener));
    listening = SupervisedLoop.of("iptables-changes").start(() -> listen(listener));
    watch = tool.watch(changes::release);
  }

  private void check(IptablesRunner tool, Runnable listener) throws InterruptedException {
    pacer.pause(period);
    boolean there = present(tool, FixedRules.MANGLE);
    if (seen && !there) {
      settle(tool);
      log.atWarn().log("another program emptied the iptables tables, writing them again");
      listener.run();
    }
    seen = there;
  }

  private void settle(IptablesRunner tool) throws InterruptedException {
    for (int i = 0; i < STEPS; i++) {
      if (!present(tool, FixedRules.NAT) && !present(tool, FixedRules.FILTER)) {
        return;
      }
      pacer.pause(STEP);
    }
  }

  private void listen(Runnable listener) throws InterruptedException {
    changes.acquire();
    boolean reported = false;
    try {
      int steps = 0;
      do {
        changes.drainPermits();
        pacer.pause(QUIET);
        steps++;
      } while (changes.availablePermits() > 0 && steps < MOST_QUIET_STEPS);
      log.atInfo().log("another program changed the iptables rules, comparing them");
      listener.run();
      reported = true;
    } finally {
      if (!reported) {
        changes.release();
      }
    }
  }

  private static boolean present(IptablesRunner tool, String table) {
    try {
      return tool.hasChain(table, FixedRules.CANARY);
    } catch (DataPlaneException e) {
      log.atWarn().setCause(e).log("cannot check for the canary chain");
      return true;
    }
  }

  @Override
  public void close() {
    if (watch != null) {
      watch.close();
    }
    if (checking != null) {
      checking.close();
    }
    if (listening != null) {
      listening.close();
    }
  }
}
