package io.fairlead.client.events;

import io.fairlead.client.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/// Keeps many like events from becoming many objects (spec/controllers.md 1.8): equal ones are
/// counted on one object, more than ten that differ only in their message are combined, and one
/// object that never stops is cut off. Pure but for its memory. Owned by the recorder's thread.
final class EventCorrelator {
  static final String COMBINED = "(combined from similar events): ";
  private static final int SIMILAR = 10;
  private static final long SIMILAR_WINDOW = Duration.ofMinutes(10).toNanos();
  private static final int BURST = 25;
  private static final long REFILL = Duration.ofMinutes(5).toNanos();
  private static final int MEMORY = 4096;

  /// What to do with an event.
  sealed interface Outcome {
    /// Write it as an object of its own.
    record Create(Event event) implements Outcome {}

    /// It was written before under that name: count it there.
    record Count(Event event, String name, int count) implements Outcome {}

    /// Too many about one object.
    record Drop() implements Outcome {}
  }

  private static final class Memory<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    Memory() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MEMORY;
    }
  }

  private static final class Bucket {
    private double tokens = BURST;
    private long filled;
  }

  private static final class Similar {
    private final Set<String> messages = new LinkedHashSet<>();
    private long since;
  }

  private static final class Written {
    private String name = "";
    private int count;
  }

  private final Ticker ticker;
  private final Map<String, Bucket> buckets = new Memory<>();
  private final Map<Event, Similar> similar = new Memory<>();
  private final Map<Event, Written> written = new Memory<>();

  EventCorrelator(Ticker ticker) {
    this.ticker = ticker;
  }

  Outcome observe(Event event) {
    long now = ticker.nanos();
    Event shown = combine(event, now);
    if (!allowed(event.uid(), now)) {
      return new Outcome.Drop();
    }
    Written known = written.get(shown.withoutCombinedMessage());
    if (known == null || known.name.isEmpty()) {
      return new Outcome.Create(shown);
    }
    known.count++;
    return new Outcome.Count(shown, known.name, known.count);
  }

  /// An event now exists under a name.
  void created(Event event, String name) {
    Written entry = new Written();
    entry.name = name;
    entry.count = 1;
    written.put(event.withoutCombinedMessage(), entry);
  }

  /// The object that counted an event is gone: the next one is written anew.
  void lost(Event event) {
    written.remove(event.withoutCombinedMessage());
  }

  private Event combine(Event event, long now) {
    Similar like =
        similar.computeIfAbsent(
            event.withMessage(""),
            _ -> {
              Similar fresh = new Similar();
              fresh.since = now;
              return fresh;
            });
    if (now - like.since > SIMILAR_WINDOW) {
      like.messages.clear();
      like.since = now;
    }
    if (like.messages.size() <= SIMILAR) {
      like.messages.add(event.message());
    }
    return like.messages.size() > SIMILAR ? event.withMessage(COMBINED + event.message()) : event;
  }

  private boolean allowed(String uid, long now) {
    Bucket bucket =
        buckets.computeIfAbsent(
            uid,
            _ -> {
              Bucket fresh = new Bucket();
              fresh.filled = now;
              return fresh;
            });
    bucket.tokens = Math.min(BURST, bucket.tokens + (double) (now - bucket.filled) / REFILL);
    bucket.filled = now;
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens -= 1;
    return true;
  }
}
