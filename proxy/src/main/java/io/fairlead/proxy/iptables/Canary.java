package io.fairlead.proxy.iptables;

import io.fairlead.client.time.Pacer;
import io.fairlead.proxy.core.DataPlaneException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices that somebody emptied the tables, a reload of a firewall for instance: a chain that does
/// nothing is looked for from time to time. When it is gone from one table, the others get a moment
/// to go too, so that the repair comes after the reload and not in its middle.
///
/// One virtual thread looks; it ends with [#close].
public final class Canary implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Canary.class);
  private static final Duration STEP = Duration.ofMillis(100);
  private static final int STEPS = 50;

  private final Pacer pacer;
  private final Duration period;
  private volatile boolean closed;
  private volatile @Nullable Thread thread;

  /// @param period how often to look
  public Canary(Pacer pacer, Duration period) {
    this.pacer = pacer;
    this.period = period;
  }

  void start(RuleTool tool, Runnable listener) {
    thread = Thread.ofVirtual().name("iptables-canary").start(() -> watch(tool, listener));
  }

  private void watch(RuleTool tool, Runnable listener) {
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
