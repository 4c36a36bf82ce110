package io.fairlead.client.informer;

import org.jspecify.annotations.Nullable;

/// Keeps somebody else's store equal to the server, for parts that keep so little of an object, or
/// so many, that an [Informer]'s copy would be a waste. One virtual thread.
public final class Follower implements AutoCloseable {
  private final ListWatch source;
  private final Reflector reflector;
  private volatile @Nullable Thread thread;

  public Follower(ListWatch source, StateSink sink, Pacing pacing) {
    this.source = source;
    this.reflector = new Reflector(source, sink, pacing);
  }

  /// Begins to follow the server. Once only.
  public void start() {
    if (thread != null) {
      throw new IllegalStateException("already started");
    }
    thread = Thread.ofVirtual().name("follower-" + source).start(reflector);
  }

  /// Stops following and waits for the thread. Idempotent.
  @Override
  public void close() {
    reflector.close();
    Thread running = thread;
    if (running == null || running.equals(Thread.currentThread())) {
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
