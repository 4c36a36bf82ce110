package io.fairlead.client.events;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What a recorder remembers, by its mark. Bounded in number, and its user takes away what has no
/// more to say; both begin with what was not asked for longest. Not safe for threads.
final class EventCache<V> {
  private static final int MOST = 4096;

  private final SequencedMap<EventKey, V> known = new LinkedHashMap<>(16, 0.75f, true);

  @Nullable V get(EventKey mark) {
    return known.get(mark);
  }

  void put(EventKey mark, V value) {
    known.put(mark, value);
    if (known.size() > MOST) {
      known.pollFirstEntry();
    }
  }

  void remove(EventKey mark) {
    known.remove(mark);
  }

  /// Forgets, up to the first that is not over.
  void forget(Predicate<V> over) {
    Iterator<V> eldest = known.values().iterator();
    while (eldest.hasNext() && over.test(eldest.next())) {
      eldest.remove();
    }
  }

  int size() {
    return known.size();
  }
}
