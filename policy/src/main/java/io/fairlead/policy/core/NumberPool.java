package io.fairlead.policy.core;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Gives out numbers. One that is given back is not given out again before the kernel has
/// acknowledged that nothing uses it.
final class NumberPool {
  /// The packet carries 24 bits.
  static final int LAST = 0xffffff;

  private final TreeSet<Integer> free = new TreeSet<>();
  private final TreeSet<Integer> kept = new TreeSet<>();
  private final List<Integer> returned = new ArrayList<>();
  private int next;

  NumberPool(int first) {
    this.next = first;
  }

  /// Keeps numbers for those who [ask][#take(int)] for them.
  void keep(Iterable<Integer> numbers) {
    for (int number : numbers) {
      if (number >= next && number <= LAST) {
        kept.add(number);
      }
    }
    if (!kept.isEmpty()) {
      next = kept.last() + 1;
    }
  }

  int take() {
    Integer first = free.pollFirst();
    if (first != null) {
      return first;
    }
    if (next > LAST) {
      throw new IllegalStateException("more than " + LAST + " numbers");
    }
    return next++;
  }

  /// That number if it is kept for an owner and not given out, otherwise any.
  int take(int wanted) {
    return kept.remove(wanted) ? wanted : take();
  }

  void giveBack(int number) {
    returned.add(number);
  }

  /// Nothing uses the numbers any more that were given back.
  void acknowledged() {
    free.addAll(returned);
    returned.clear();
  }

  /// No owner asks for kept numbers any more.
  void forgetKept() {
    kept.forEach(number -> returned.add(number));
    kept.clear();
  }
}
