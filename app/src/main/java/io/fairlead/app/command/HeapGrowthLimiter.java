package io.fairlead.app.command;

import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// Has the heap collected before it grows far beyond what is in use.
///
/// The serial collector makes the old generation larger as long as it may, a quarter of the
/// machine, before it looks for garbage there for the first time; and it sizes the young generation
/// only when it does. A server that started small would pass on most of what a burst of requests
/// leaves behind, and keep gigabytes of it. A look each second finds growth by half since the last
/// collection and has one made; what it costs is in proportion to what was allocated for good.
final class HeapGrowthLimiter {
  /// Below this the heap of a server may do as it likes.
  static final long SMALL = 72L << 20;

  private static final int SHARE = 10;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final long small;
  private long settled;
  private boolean shrinking;

  HeapGrowthLimiter() {
    this(SMALL);
  }

  /// @param small below this many bytes the heap may do as it likes
  HeapGrowthLimiter(long small) {
    this.small = small;
  }

  /// Keeps this process's heap small until the calling thread is interrupted.
  void keep() throws InterruptedException {
    try (SupervisedLoop _ = start()) {
      new CountDownLatch(1).await();
    }
  }

  /// Keeps this process's heap small until the loop is closed.
  SupervisedLoop start() {
    return SupervisedLoop.of("heap-limiter").afterEach(PAUSE).start(this::collectIfOvergrown);
  }

  private void collectIfOvergrown() {
    Runtime runtime = Runtime.getRuntime();
    if (isOvergrown(runtime.totalMemory())) {
      long before = runtime.totalMemory();
      System.gc();
      collected(before, runtime.totalMemory());
    }
  }

  /// @param size of the whole heap now, in bytes
  boolean isOvergrown(long size) {
    return size > small && (shrinking || size > settled + settled / 2);
  }

  /// The heap has been collected. When that gave back a good part of it, work was going on whose
  /// remains are found the next time.
  void collected(long before, long after) {
    shrinking = after < before - before / SHARE;
    settled(after);
  }

  /// The heap has been collected and has this size now.
  void settled(long size) {
    settled = size;
  }
}
