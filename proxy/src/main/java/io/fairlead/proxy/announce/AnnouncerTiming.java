package io.fairlead.proxy.announce;

import java.time.Duration;

/// How often nodes renew their Leases. With many nodes less often, so that a cluster never writes
/// more than 60 times a second for it.
///
/// @param period between two renewals
/// @param limit without a renewal for so long a node counts as dead
record AnnouncerTiming(Duration period, Duration limit) {
  private static final long FEW = 30;
  private static final long WRITES_A_SECOND = 60;
  private static final Duration MARGIN = Duration.ofMillis(300);

  /// While nothing is announced.
  static final AnnouncerTiming IDLE =
      new AnnouncerTiming(Duration.ofSeconds(30), Duration.ofSeconds(90));

  /// For so many announcing nodes.
  static AnnouncerTiming of(int nodes) {
    Duration period =
        nodes <= FEW
            ? Duration.ofMillis(500)
            : Duration.ofMillis(Math.round(nodes * 1000.0 / WRITES_A_SECOND));
    return new AnnouncerTiming(
        period,
        nodes <= FEW
            ? Duration.ofMillis(1500)
            : Duration.ofMillis(Math.round(3 * nodes * 1000.0 / WRITES_A_SECOND)));
  }

  /// How long an owner is sure after the beginning of a renewal.
  Duration sure() {
    return sure(limit);
  }

  /// The same for a limit that was written.
  static Duration sure(Duration limit) {
    return limit.minus(MARGIN);
  }
}
