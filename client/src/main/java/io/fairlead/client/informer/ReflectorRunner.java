package io.fairlead.client.informer;

import io.fairlead.work.SupervisedLoop;
import java.util.concurrent.atomic.AtomicBoolean;

/// Keeps a component's own store equal to the server, for components that keep so little of an
/// object, or so many objects, that an [Informer]'s copy would be a waste. One loop.
public final class ReflectorRunner implements AutoCloseable {
  private final Reflector reflector;
  private final SupervisedLoop loop;
  private final AtomicBoolean started = new AtomicBoolean();

  public ReflectorRunner(ListWatch source, StateSink sink, TimingSources pacing) {
    this.reflector = new Reflector(source, sink, pacing);
    this.loop = reflector.loop();
  }

  /// Begins to follow the server. Once only.
  public void start() {
    if (started.getAndSet(true)) {
      throw new IllegalStateException("already started");
    }
    loop.start();
  }

  /// Stops following and waits for the loop. Idempotent.
  @Override
  public void close() {
    reflector.close();
    loop.close();
  }
}
