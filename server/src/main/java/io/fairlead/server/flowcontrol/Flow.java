package io.fairlead.server.flowcontrol;

import java.util.EnumMap;
import java.util.Map;

/// The requests of one flow schema at one priority level, and what became of them.
///
/// The counts are guarded by the lock of the [SeatDispatcher].
final class Flow {
  private final String schema;
  private final PriorityLevel level;
  private final Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
  private int executing;
  private int waiting;
  private long dispatched;

  Flow(String schema, PriorityLevel level) {
    this.schema = schema;
    this.level = level;
  }

  /// The name of the schema.
  String schema() {
    return schema;
  }

  PriorityLevel level() {
    return level;
  }

  void begin() {
    executing++;
    dispatched++;
  }

  void end() {
    executing--;
  }

  void queue(int more) {
    waiting += more;
  }

  void refuse(Refusal why) {
    refused.merge(why, 1L, Long::sum);
  }

  /// What it came to until now.
  FlowCounts counts() {
    return new FlowCounts(
        level.name(), schema, executing, waiting, dispatched, Map.copyOf(refused));
  }
}
