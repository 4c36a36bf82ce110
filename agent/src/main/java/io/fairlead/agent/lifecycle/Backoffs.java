package io.fairlead.agent.lifecycle;

import io.fairlead.work.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/// Waits that grow with every try of the same thing, and begin again after a long good time.
///
/// The first try after a failure is free; before the second one waits the first step, then twice as
/// long each time. Who was well for twice the longest wait is forgiven.
final class Backoffs {
  private record Entry(int steps, Instant at) {}

  private final Backoff waits;
  private final Map<String, Entry> entries = new HashMap<>();

  Backoffs(Backoff waits) {
    this.waits = waits;
  }

  /// How long a thing that failed at a moment must rest after it; zero for not at all.
  Duration rest(String key, Instant now) {
    Entry entry = entries.get(key);
    return entry == null || forgiven(entry, now) ? Duration.ZERO : waits.after(entry.steps());
  }

  /// Notes that the thing is tried again now.
  void step(String key, Instant now) {
    Entry entry = entries.get(key);
    int steps = entry == null || forgiven(entry, now) ? 0 : Math.min(entry.steps() + 1, 30);
    entries.put(key, new Entry(steps, now));
  }

  void forget(String key) {
    entries.remove(key);
  }

  private boolean forgiven(Entry entry, Instant now) {
    return Duration.between(entry.at(), now).compareTo(waits.most().multipliedBy(2)) > 0;
  }
}
