package io.fairlead.client.lease;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides what a candidate does next. Pure but for its memory of when the record last changed.
///
/// How it works: a holder writes the record again and again. A candidate takes over when it has not
/// seen the record *change* for its whole duration, measured by the candidate's own clock from the
/// moment it looked. The times inside the record are for people and are never compared with a
/// clock, so clocks may differ by any amount.
final class Election {
  /// What to do about a record.
  enum Step {
    /// There is no record: make one in our name.
    CREATE,
    /// The record is free or its holder is silent: put our name in.
    TAKE,
    /// The record is ours: write it again.
    RENEW,
    /// Another candidate leads.
    WAIT
  }

  private final String identity;
  private @Nullable LeaseRecord seen;
  private long seenAt;

  Election(String identity) {
    this.identity = identity;
  }

  Step next(Optional<LeaseRecord> current, long now) {
    if (current.isEmpty()) {
      seen = null;
      return Step.CREATE;
    }
    LeaseRecord record = current.get();
    if (!record.equals(seen)) {
      seen = record;
      seenAt = now;
    }
    if (record.holder().equals(identity)) {
      return Step.RENEW;
    }
    boolean expired = now - seenAt >= record.durationSeconds() * 1_000_000_000L;
    return record.holder().isEmpty() || expired ? Step.TAKE : Step.WAIT;
  }

  /// What to write for a step other than waiting.
  LeaseRecord record(Step step, Optional<LeaseRecord> current, int durationSeconds, String time) {
    int transitions = current.map(LeaseRecord::transitions).orElse(0);
    return switch (step) {
      case CREATE -> new LeaseRecord(identity, durationSeconds, time, time, transitions);
      case TAKE -> new LeaseRecord(identity, durationSeconds, time, time, transitions + 1);
      case RENEW ->
          new LeaseRecord(
              identity,
              durationSeconds,
              current.map(LeaseRecord::acquireTime).orElse(time),
              time,
              transitions);
      case WAIT -> throw new IllegalArgumentException("nothing is written while waiting");
    };
  }
}
