package io.fairlead.proxy.iptables;

import static org.awaitility.Awaitility.await;

import io.fairlead.work.LoopFaults;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// The loops that notice changes of other programs.
class CanaryTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /// Tools that only say when rules have changed.
  private static final class Reporting implements IptablesRunner {
    final AtomicReference<Runnable> changed = new AtomicReference<>();

    @Override
    public void restore(String document) {}

    @Override
    public String save(String table) {
      return "";
    }

    @Override
    public String saveWithCounters(String table) {
      return "";
    }

    @Override
    public boolean hasChain(String table, String chain) {
      return true;
    }

    @Override
    public Watch watch(Runnable listener) {
      changed.set(listener);
      return () -> {};
    }
  }

  @Test
  void aChangeIsReportedAgainWhenTheListenerThrows() {
    AtomicInteger calls = new AtomicInteger();
    Reporting tool = new Reporting();
    try (Canary canary = new Canary(Pacer.system(), Duration.ofHours(1))) {
      canary.start(
          tool,
          () -> {
            if (calls.incrementAndGet() == 1) {
              throw new IllegalStateException("injected");
            }
          });
      tool.changed.get().run();
      await().atMost(LIMIT).until(() -> calls.get() == 2);
      LoopFaults.failOnce("iptables-changes");
      tool.changed.get().run();
      await().atMost(LIMIT).until(() -> calls.get() == 3);
    }
  }
}
