package io.fairlead.store.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Which keys end when, on a monotonic clock, so that steps of the wall clock do not matter.
///
/// Not thread-safe: guarded by the engine's lock.
public final class Deadlines {
  private final Map<String, Deadline> byKey = new HashMap<>();
  private final PriorityQueue<Deadline> queue =
      new PriorityQueue<>(Comparator.comparingLong(Deadline::nanos));

  /// A key that ends.
  ///
  /// @param key which
  /// @param revision the write that set the time; a later write of the key voids it
  /// @param nanos when, on the engine's monotonic clock
  public record Deadline(String key, long revision, long nanos) {}

  /// Notes a write of a key: with a time to live it replaces the earlier deadline, without one it
  /// removes it.
  public void written(String key, long revision, long ttlSeconds, long nowNanos) {
    removed(key);
    if (ttlSeconds > 0) {
      Deadline deadline =
          new Deadline(key, revision, nowNanos + TimeUnit.SECONDS.toNanos(ttlSeconds));
      byKey.put(key, deadline);
      queue.add(deadline);
    }
  }

  /// Notes that a key is gone.
  public void removed(String key) {
    if (byKey.isEmpty()) {
      return;
    }
    byKey.remove(key);
    // Voided deadlines stay in the queue until they come up; without this a key that is rewritten
    // often would pile them up.
    if (queue.size() > 2 * byKey.size() + 64) {
      queue.clear();
      queue.addAll(byKey.values());
    }
  }

  /// Takes the deadlines that have passed, at most `limit`.
  public List<Deadline> takeDue(long nowNanos, int limit) {
    List<Deadline> due = new ArrayList<>();
    while (due.size() < limit) {
      Deadline next = peek();
      if (next == null || next.nanos() - nowNanos > 0) {
        break;
      }
      queue.remove();
      byKey.remove(next.key());
      due.add(next);
    }
    return due;
  }

  /// How long until the next deadline; negative when one has passed, `Long.MAX_VALUE` when there is
  /// none.
  public long nanosToNext(long nowNanos) {
    Deadline next = peek();
    return next == null ? Long.MAX_VALUE : next.nanos() - nowNanos;
  }

  private @Nullable Deadline peek() {
    while (true) {
      Deadline next = queue.peek();
      if (next == null || next.equals(byKey.get(next.key()))) {
        return next;
      }
      queue.remove();
    }
  }
}
