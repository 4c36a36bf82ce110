package io.fairlead.bench.sync;

import io.fairlead.bench.testbed.FakeApiCluster;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Changes endpoints of Services that are not measured, so many times a second, until it is closed.
final class Churn implements AutoCloseable {
  private static final int SERVICES = 100;

  private final Thread thread;
  private volatile boolean closed;

  Churn(FakeApiCluster cluster, int size, int perSecond) {
    long pause = Duration.ofSeconds(1).toNanos() / perSecond;
    int services = Math.min(size, SERVICES);
    thread =
        Tasks.startPlatform(
            "churn",
            () -> {
              long next = System.nanoTime();
              for (int i = 0; !closed; i++) {
                cluster.endpoints("s" + i % services, 2 + i / services % 2);
                next += pause;
                LockSupport.parkNanos(next - System.nanoTime());
              }
            });
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
