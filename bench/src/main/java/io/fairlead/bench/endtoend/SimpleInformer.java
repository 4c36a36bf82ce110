package io.fairlead.bench.endtoend;

import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchOptions;
import io.fairlead.client.WatchStream;
import io.fairlead.client.WatchStreamEvent;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Follows the objects of one kind in the namespace `default`, as any client does. Who is told of
/// them keeps what it likes; all of that is read and written under the lock of this.
public final class SimpleInformer implements AutoCloseable {
  private static final int PATIENCE_MINUTES = 5;

  /// Is told of objects, one at a time.
  public interface Listener {
    /// @param initial whether it was there before
    void seen(ObjectNode object, boolean initial);

    void removed(ObjectNode object);
  }

  private final WatchStream stream;
  private final Thread thread;
  private final Listener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /// Returns when what is there has been told.
  public SimpleInformer(Client client, ResourceType type, Listener listener) {
    this.listener = listener;
    String version =
        client.listAll(type, "default", ListOptions.ALL, object -> listener.seen(object, true));
    stream = client.watch(type, "default", WatchOptions.from(version, Duration.ofMinutes(30)));
    thread = Tasks.start("following-" + type, this::follow);
  }

  private void follow() {
    try {
      for (Optional<WatchStreamEvent> next = stream.next();
          next.isPresent();
          next = stream.next()) {
        tell(next.get());
      }
    } catch (ConnectionException _) {
      // Closed.
    }
  }

  private void tell(WatchStreamEvent event) {
    lock.lock();
    try {
      switch (event) {
        case WatchStreamEvent.Changed changed -> listener.seen(changed.object(), false);
        case WatchStreamEvent.Removed(ObjectNode object) -> listener.removed(object);
        case WatchStreamEvent.Bookmark _, WatchStreamEvent.Failed _ -> {}
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /// Waits until something holds, asked again after every change.
  ///
  /// @param state what to show when it never does
  public void await(BooleanSupplier reached, String what, Supplier<String> state)
      throws InterruptedException {
    lock.lock();
    try {
      long left = TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES);
      while (!reached.getAsBoolean()) {
        if (left <= 0) {
          throw new IllegalStateException("never seen: " + what + ": " + state.get());
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /// Reads what the listener keeps.
  public <T> T read(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    stream.close();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
