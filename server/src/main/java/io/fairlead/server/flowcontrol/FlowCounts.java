package io.fairlead.server.flowcontrol;

import java.util.Map;

/// What became of the requests of one flow schema at one priority level.
///
/// @param executing how many are being served
/// @param dispatched how many were let through, ever
/// @param refused how many were not, by reason
record FlowCounts(
    String level,
    String schema,
    int executing,
    int waiting,
    long dispatched,
    Map<Refusal, Long> refused) {
  FlowCounts {
    refused = Map.copyOf(refused);
  }

  long refused(Refusal why) {
    return refused.getOrDefault(why, 0L);
  }
}
