package io.fairlead.proxy.iptables;

import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.core.DataPlaneException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices that somebody changed our rules, a reload of a firewall for instance, in two ways. Where
/// the kernel tells of changes, a moment of quiet after them is enough. Everywhere, a chain that
/// does nothing is looked for from time to time; when it is gone from one table, the others get a
/// moment to go too, so that the repair comes after the reload and not in its middle.
///
/// Two virtual threads, one for each way; both end with [#close].
public final class Canary implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Canary.class);
  private static final Duration STEP = Duration.ofMillis(100);
  private static final int STEPS = 50;
  private static final Duration QUIET = Duration.ofMillis(20);
  private static final int MOST_QUIET_STEPS = 25;

  private final Pacer pacer;
  private final Duration period;
  private final Semaphore changes = new Semaphore(0);
  private volatile boolean closed;
  private @Nullable Thread looking;
  private @Nullable Thread listening;
  private RuleTool.@Nullable Watch watch;

  /// @param period how often to look
  public Canary(Pacer pacer, Duration period) {
    this.pacer = pacer;
    this.period = period;
  }

  void start(RuleTool tool, Runnable listener) {
    looking = Thread.ofVirtual().name("iptables-canary").start(() -> look(tool, listener));
    listening = Thread.ofVirtual().name("iptables-changes").start(() -> listen(listener));
    watch = tool.watch(changes::release);
  }

  private void look(RuleTool tool, Runnable listener) {
    boolean seen = false;
    try {
      while (!closed) {
        pacer.pause(period);
        boolean there = present(tool, FixedRules.MANGLE);
        if (seen && !there) {
          settle(tool);
          log.atWarn().log("the iptables tables were emptied by somebody else, writing them again");
          listener.run();
        }
        seen = there;
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private void settle(RuleTool tool) throws InterruptedException {
    for (int i = 0; i < STEPS && !closed; i++) {
      if (!present(tool, FixedRules.NAT) && !present(tool, FixedRules.FILTER)) {
        return;
      }
      pacer.pause(STEP);
    }
  }

  private void listen(Runnable listener) {
    try {
      while (!closed) {
        changes.acquire();
        int steps = 0;
        do {
          changes.drainPermits();
          pacer.pause(QUIET);
          steps++;
        } while (changes.availablePermits() > 0 && steps < MOST_QUIET_STEPS);
        log.atInfo().log("somebody else changed the iptables rules, looking at them");
        listener.run();
      }
    } catch (InterruptedException _) {
      // Closed.
    }
  }

  private static boolean present(RuleTool tool, String table) {
    try {
      return tool.hasChain(table, FixedRules.CANARY);
    } catch (DataPlaneException e) {
      log.atWarn().setCause(e).log("cannot look for the canary chain");
      return true;
    }
  }

  @Override
  public void close() {
    closed = true;
    if (watch != null) {
      watch.close();
    }
    end(looking);
    end(listening);
  }

  private static void end(@Nullable Thread running) {
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
