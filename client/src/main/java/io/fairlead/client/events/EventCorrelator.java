package io.fairlead.client.events;

import io.fairlead.work.Ticker;
import java.time.Duration;
import java.util.Arrays;

/// Keeps many like events from becoming many objects (spec/controllers.md 1.8): equal ones are
/// counted on one object, more than ten that differ only in their message are combined, and one
/// object that never stops is cut off. Pure but for its memory, which is of marks and numbers, and
/// short: what was not repeated within ten minutes counts as new. Owned by the recorder's thread.
final class EventCorrelator {
  static final String COMBINED = "(combined from similar events): ";
  private static final int SIMILAR = 10;
  private static final long WINDOW = Duration.ofMinutes(10).toNanos();
  private static final int BURST = 25;
  private static final long REFILL = Duration.ofMinutes(5).toNanos();

  /// What to do with an event.
  sealed interface Outcome {
    /// Write it as an object of its own.
    record Create(ObjectEvent event) implements Outcome {}

    /// It was written before under that number: count it there.
    record Count(ObjectEvent event, long number, int count) implements Outcome {}

    /// Too many about one object.
    record Drop() implements Outcome {}
  }

  private static final class Bucket {
    private double tokens = BURST;
    private long filled;

    private Bucket(long now) {
      filled = now;
    }

    private void fill(long now) {
      tokens = Math.min(BURST, tokens + (double) (now - filled) / REFILL);
      filled = now;
    }

    /// As if it had never been asked.
    private boolean isFull(long now) {
      return tokens + (double) (now - filled) / REFILL >= BURST;
    }
  }

  private static final class Similar {
    private final long since;
    // Of each message, one half of its mark.
    private long[] messages = {};

    private Similar(long now) {
      since = now;
    }

    /// @return whether there are too many of them
    private boolean add(String message) {
      long mark = EventKey.of(message).low();
      boolean known = Arrays.stream(messages).anyMatch(one -> one == mark);
      if (!known && messages.length <= SIMILAR) {
        messages = Arrays.copyOf(messages, messages.length + 1);
        messages[messages.length - 1] = mark;
      }
      return messages.length > SIMILAR;
    }
  }

  private static final class Written {
    private final long number;
    private int count = 1;
    private long last;

    private Written(long number, long now) {
      this.number = number;
      this.last = now;
    }
  }

  private final Ticker ticker;
  private final EventCache<Bucket> buckets = new EventCache<>();
  private final EventCache<Similar> similar = new EventCache<>();
  private final EventCache<Written> written = new EventCache<>();

  EventCorrelator(Ticker ticker) {
    this.ticker = ticker;
  }

  Outcome observe(ObjectEvent event) {
    long now = ticker.nanos();
    forget(now);
    ObjectEvent shown = combine(event, now);
    if (!allowed(event, now)) {
      return new Outcome.Drop();
    }
    Written known = written.get(shown.mark());
    if (known == null) {
      return new Outcome.Create(shown);
    }
    known.count++;
    known.last = now;
    return new Outcome.Count(shown, known.number, known.count);
  }

  /// An event now exists under a number.
  void created(ObjectEvent event, long number) {
    written.put(event.mark(), new Written(number, ticker.nanos()));
  }

  /// The object that counted an event is gone: the next one is a new object.
  void lost(ObjectEvent event) {
    written.remove(event.mark());
  }

  /// How much is remembered.
  int size() {
    return buckets.size() + similar.size() + written.size();
  }

  private void forget(long now) {
    buckets.forget(one -> one.isFull(now));
    similar.forget(one -> isOver(one, now));
    written.forget(one -> now - one.last > WINDOW);
  }

  private static boolean isOver(Similar one, long now) {
    return now - one.since > WINDOW;
  }

  private ObjectEvent combine(ObjectEvent event, long now) {
    EventKey mark = event.markOfKind();
    Similar like = similar.get(mark);
    if (like == null || isOver(like, now)) {
      like = new Similar(now);
      similar.put(mark, like);
    }
    return like.add(event.message()) ? event.withMessage(COMBINED + event.message()) : event;
  }

  private boolean allowed(ObjectEvent event, long now) {
    EventKey mark = event.markOfSubject();
    Bucket bucket = buckets.get(mark);
    if (bucket == null) {
      bucket = new Bucket(now);
      buckets.put(mark, bucket);
    }
    bucket.fill(now);
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens -= 1;
    return true;
  }
}
