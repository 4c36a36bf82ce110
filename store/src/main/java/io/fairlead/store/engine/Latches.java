package io.fairlead.store.engine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Waiting for loops to end.
public final class Latches {
  private Latches() {}

  /// Waits at most that long, also when interrupted; the interrupt is kept for the caller.
  public static void awaitUninterruptibly(CountDownLatch latch, Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    boolean interrupted = false;
    while (true) {
      try {
        boolean _ = latch.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        break;
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
