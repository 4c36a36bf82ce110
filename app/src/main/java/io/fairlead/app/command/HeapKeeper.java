package io.fairlead.app.command;

import io.fairlead.client.time.Pacer;
import java.time.Duration;

/// Has the heap collected before it grows far beyond what is in use.
///
/// The serial collector makes the old generation larger as long as it may, a quarter of the
/// machine, before it looks for garbage there for the first time; and it sizes the young generation
/// only when it does. A server that started small would pass on most of what a burst of requests
/// leaves behind, and keep gigabytes of it. A look each second finds growth by half since the last
/// collection and has one made; what it costs is in proportion to what was allocated for good.
final class HeapKeeper {
  /// Below this the heap of a server may do as it likes.
  static final long SMALL = 72L << 20;

  private static final int SHARE = 10;
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final long small;
  private long settled;
  private boolean shrinking;

  HeapKeeper() {
    this(SMALL);
  }

  /// @param small below this many bytes the heap may do as it likes
  HeapKeeper(long small) {
    this.small = small;
  }

  /// Keeps this process's heap until it is interrupted.
  void keep(Pacer pacer) throws InterruptedException {
    Runtime runtime = Runtime.getRuntime();
    while (true) {
      pacer.pause(PAUSE);
      if (isOvergrown(runtime.totalMemory())) {
        long before = runtime.totalMemory();
        System.gc();
        collected(before, runtime.totalMemory());
      }
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
