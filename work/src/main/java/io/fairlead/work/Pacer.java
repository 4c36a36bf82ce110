package io.fairlead.work;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Waits. Handed in, so that a test can let hours pass at once.
@FunctionalInterface
public interface Pacer {
  void pause(Duration time) throws InterruptedException;

  /// Really waits; an interrupt ends it.
  static Pacer system() {
    return time -> {
      boolean _ = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
    };
  }
}
