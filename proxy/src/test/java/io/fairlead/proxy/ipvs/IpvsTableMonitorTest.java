package io.fairlead.proxy.ipvs;

import static org.awaitility.Awaitility.await;

import io.fairlead.proxy.testing.FakeVirtualServers;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// The loop that checks on the kernel's load balancer.
class IpvsTableMonitorTest {
  @Test
  void aCheckThatThrowsIsFollowedByOthers() {
    AtomicInteger checks = new AtomicInteger();
    AtomicInteger reports = new AtomicInteger();
    Pacer pacer =
        _ -> {
          if (checks.incrementAndGet() == 1) {
            throw new IllegalStateException("injected");
          }
          Thread.onSpinWait();
        };
    try (IpvsTableMonitor monitor =
        new IpvsTableMonitor(pacer, () -> new FakeVirtualServers(Set.of("rr")))) {
      monitor.expect(null, true);
      monitor.start(reports::incrementAndGet);
      await().atMost(Duration.ofSeconds(60)).until(() -> reports.get() > 0);
    }
  }
}
