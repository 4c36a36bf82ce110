package io.fairlead.server.flowcontrol;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// How many requests of a level are served at once.
///
/// @param nominal its part of the server's
/// @param lower what it always has, whatever others do: the rest of its part can be lent
/// @param upper what it has at most, with what others lend it
record SeatLimits(int nominal, int lower, int upper) {
  /// Divides what the server does at once by the levels' shares. Parts are rounded up, so that a
  /// level with any share can serve at least one request.
  static Map<String, SeatLimits> divide(int total, Collection<PriorityLevelSpec> levels) {
    long shares = levels.stream().mapToLong(PriorityLevelSpec::shares).sum();
    Map<String, SeatLimits> limits = new LinkedHashMap<>();
    for (PriorityLevelSpec level : levels) {
      int nominal = shares == 0 ? 0 : (int) Math.ceilDiv((long) total * level.shares(), shares);
      int lendable = (int) Math.round(nominal * level.lendablePercent() / 100.0);
      long borrowed =
          level.borrowingPercent().isEmpty()
              ? total
              : Math.round(nominal * level.borrowingPercent().getAsInt() / 100.0);
      int upper = (int) Math.min(Integer.MAX_VALUE, nominal + borrowed);
      limits.put(level.name(), new SeatLimits(nominal, nominal - lendable, upper));
    }
    return limits;
  }

  /// How many seats can be lent.
  int lendable() {
    return nominal - lower;
  }
}
