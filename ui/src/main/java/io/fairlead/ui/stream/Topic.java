package io.fairlead.ui.stream;

import io.fairlead.api.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One live value and what changed in it lately, for all streams that show it to one user.
///
/// How it works: readers have no queues. Each remembers the number of the last event it sent and
/// asks for what came after; so a reader that stops costs nothing. One that comes back too late, or
/// has too much to catch up with, gets the value as a whole.
///
/// Safe for all threads.
final class Topic {
  private static final int MOST_EVENTS = 1024;
  private static final int MOST_AT_ONCE = 64;
  private static final long MOST_BYTES = 256 << 10;
  private static final Duration KEPT = Duration.ofSeconds(60);

  private final String name;
  private final TopicSource source;

  // Guarded by this, like all below.
  private final Deque<Event> log = new ArrayDeque<>();
  private @Nullable ObjectNode value;
  private long version;
  // Events up to this number are not in the log.
  private long forgotten;
  private int holders;
  private Instant released = Instant.EPOCH;

  Topic(String name, TopicSource source) {
    this.name = name;
    this.source = source;
  }

  private record Event(long number, Instant at, ValueDelta delta) {
    /// About; the texts are not written for it.
    long bytes() {
      return 64L * (1 + delta.set().size() + delta.remove().size());
    }
  }

  /// One event for a reader.
  ///
  /// @param kind `snapshot` or `delta`
  /// @param version the last event that it covers
  record Outgoing(String kind, long version, ObjectNode data) {}

  String name() {
    return name;
  }

  TopicSource source() {
    return source;
  }

  synchronized void hold() {
    holders++;
  }

  synchronized void release(Instant now) {
    holders--;
    released = now;
  }

  synchronized boolean isHeld() {
    return holders > 0;
  }

  /// Whether no stream came back for it in time.
  synchronized boolean isAbandoned(Instant now) {
    return holders == 0 && now.isAfter(released.plus(KEPT));
  }

  /// Looks at the source again and notes what changed.
  ///
  /// @param numbers gives the number of an event that is noted. It is taken under this topic's
  ///   lock: who has read a higher one and then gets the lock sees the event
  /// @return whether one was
  boolean refresh(LongSupplier numbers, Instant now) {
    ObjectNode next = source.value();
    synchronized (this) {
      ObjectNode before = value;
      value = next;
      if (before == null) {
        version = numbers.getAsLong();
        forgotten = version;
        return true;
      }
      ValueDelta delta = ValueDelta.between(before, next);
      if (delta.isEmpty()) {
        return false;
      }
      long number = numbers.getAsLong();
      version = number;
      note(new Event(number, now, delta));
      return true;
    }
  }

  /// How many changes are kept for readers that come back.
  synchronized int kept() {
    return log.size();
  }

  private void note(Event event) {
    log.add(event);
    while (log.size() > MOST_EVENTS
        || (!log.isEmpty() && event.at().isAfter(log.getFirst().at().plus(KEPT)))) {
      forgotten = log.removeFirst().number();
    }
  }

  /// What a reader has missed: nothing, one delta, or the whole.
  ///
  /// @param since the last event it has; negative for none
  synchronized Optional<Outgoing> after(long since) {
    ObjectNode now = value;
    if (now == null || since >= version) {
      return Optional.empty();
    }
    if (since < forgotten) {
      return Optional.of(snapshot(now));
    }
    ValueDelta delta = ValueDelta.NONE;
    int count = 0;
    long bytes = 0;
    for (Event event : log) {
      if (event.number() > since) {
        delta = delta.then(event.delta());
        count++;
        bytes += event.bytes();
      }
    }
    if (count > MOST_AT_ONCE || bytes > MOST_BYTES) {
      return Optional.of(snapshot(now));
    }
    ObjectNode data = Json.object().put("topic", name).put("version", version);
    delta.writeTo(data);
    return Optional.of(new Outgoing("delta", version, data));
  }

  private Outgoing snapshot(ObjectNode now) {
    ObjectNode data = Json.object().put("topic", name).put("version", version);
    data.set("value", now);
    return new Outgoing("snapshot", version, data);
  }
}
