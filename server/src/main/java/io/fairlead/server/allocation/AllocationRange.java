package io.fairlead.server.allocation;

import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;

/// Numbers to be given out, of which the lower ones are kept for people who choose for themselves.
///
/// How it works: a dynamic choice starts at a random place above the static band and goes on
/// upwards, wrapping, until something is free; only when all of that is taken does it use the band
/// below. So a person who pins a low address seldom meets one that was given out by chance, and
/// servers that choose at the same time seldom choose the same.
///
/// @param first the lowest number
/// @param size how many there are
/// @param reserved how many of the lowest are given out last
record AllocationRange(long first, long size, long reserved) {
  /// What is chosen when nothing is free.
  static final long NONE = -1;

  /// A free number, or [#NONE].
  long pick(LongPredicate isFree, RandomGenerator random) {
    long found = scan(first + reserved, size - reserved, isFree, random);
    return found != NONE ? found : scan(first, reserved, isFree, random);
  }

  private static long scan(long from, long count, LongPredicate isFree, RandomGenerator random) {
    if (count <= 0) {
      return NONE;
    }
    long start = random.nextLong(count);
    for (long i = 0; i < count; i++) {
      long candidate = from + (start + i) % count;
      if (isFree.test(candidate)) {
        return candidate;
      }
    }
    return NONE;
  }
}
