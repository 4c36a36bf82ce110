package io.fairlead.client.events;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What a recorder remembers, by its mark. Bounded in number, and whoever uses it takes away what
/// has no more to say; both begin with what was not asked for longest. Not safe for threads.
final class Memory<V> {
  private static final int MOST = 4096;

  private final SequencedMap<Mark, V> known = new LinkedHashMap<>(16, 0.75f, true);

  @Nullable V get(Mark mark) {
    return known.get(mark);
  }

  void put(Mark mark, V value) {
    known.put(mark, value);
    if (known.size() > MOST) {
      known.pollFirstEntry();
    }
  }

  void remove(Mark mark) {
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
