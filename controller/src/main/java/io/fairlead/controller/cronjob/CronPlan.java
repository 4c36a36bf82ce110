package io.fairlead.controller.cronjob;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/// What a CronJob does now. Pure.
///
/// @param due the time for which a Job is to be made; of several that were missed the last
/// @param missed how many there were, at most [#TOO_MANY] + 1
/// @param next how long until the next time
record CronPlan(Optional<Instant> due, int missed, Optional<Duration> next) {
  /// More than that many missed times are told, since the clock may be wrong.
  static final int TOO_MANY = 100;

  static CronPlan of(CronSchedule schedule, ZoneId zone, Instant since, Instant now) {
    Optional<Instant> due = Optional.empty();
    int missed = 0;
    Optional<Instant> at = schedule.after(since, zone);
    while (at.isPresent() && !at.get().isAfter(now)) {
      due = at;
      missed++;
      if (missed > TOO_MANY) {
        // So many that looking at each would take long: near the end is enough.
        Optional<Instant> late = lastBefore(schedule, zone, due.get(), now);
        due = late.or(() -> schedule.after(since, zone));
        at = schedule.after(now, zone);
        break;
      }
      at = schedule.after(at.get(), zone);
    }
    return new CronPlan(due, missed, at.map(next -> Duration.between(now, next)));
  }

  /// The last time up to now, looked for in steps back that double.
  private static Optional<Instant> lastBefore(
      CronSchedule schedule, ZoneId zone, Instant known, Instant now) {
    for (Duration back = Duration.ofHours(1);
        now.minus(back).isAfter(known);
        back = back.multipliedBy(2)) {
      Optional<Instant> last = Optional.empty();
      Optional<Instant> at = schedule.after(now.minus(back), zone);
      while (at.isPresent() && !at.get().isAfter(now)) {
        last = at;
        at = schedule.after(at.get(), zone);
      }
      if (last.isPresent()) {
        return last;
      }
    }
    return Optional.of(known);
  }
}
