package io.fairlead.proxy.announce;

import java.time.Duration;

/// One address that this node holds, is about to hold or lets go. Owned by the announcer's core.
final class HeldAddress {
  /// How far it is.
  enum Phase {
    /// Asks the network whether a machine has it that is no node.
    PROBING,
    /// In the next Lease that is written; not answered for before.
    CLAIMING,
    HOLDING,
    /// In no Lease any more; answered for until a successor is seen.
    LEAVING
  }

  /// After the first, so that a lost frame costs no client more than a second.
  private static final long[] REPEATS = {
    0,
    Duration.ofMillis(1100).toNanos(),
    Duration.ofMillis(2200).toNanos(),
    Duration.ofMillis(3300).toNanos(),
    Duration.ofMillis(4400).toNanos()
  };

  /// Switches forget ports sooner than routers forget neighbours.
  private static final long REFRESH = Duration.ofMinutes(1).toNanos();

  private static final long PROBE_EVERY = Duration.ofMillis(200).toNanos();
  private static final int PROBES = 3;
  private static final long DEFEND_EVERY = Duration.ofSeconds(10).toNanos();

  final HolderCertainty certainty;
  Phase phase;
  private long since;
  private int announcements;
  private int probes;
  private long lastDefence;
  private boolean defended;
  private long lastDoubtProbe;
  private boolean doubted;
  private boolean doubtful;
  private String rebalance;

  HeldAddress(Phase phase, long now, String rebalance) {
    this.phase = phase;
    this.since = now;
    this.certainty = new HolderCertainty(Duration.ZERO);
    this.rebalance = rebalance;
  }

  /// The API is away: another may take it unseen.
  void doubt() {
    doubtful = true;
  }

  /// The API has shown that no other node took it.
  void confirm() {
    doubtful = false;
  }

  boolean isDoubtful() {
    return doubtful;
  }

  boolean isListed() {
    return phase == Phase.CLAIMING || phase == Phase.HOLDING;
  }

  void enter(Phase next, long now) {
    phase = next;
    since = now;
    announcements = 0;
    probes = 0;
    doubtful = false;
  }

  boolean hasBeenIn(Duration time, long now) {
    return now - since >= time.toNanos();
  }

  long since() {
    return since;
  }

  /// All neighbours are to hear of it again: an interface changed.
  void announceAgain(long now) {
    if (phase == Phase.HOLDING) {
      since = now;
      announcements = 0;
    }
  }

  /// Whether an announcement is due now; counts it.
  boolean announces(long now) {
    long due =
        announcements < REPEATS.length
            ? REPEATS[announcements]
            : REPEATS[REPEATS.length - 1] + (announcements - REPEATS.length + 1) * REFRESH;
    if (now - since < due) {
      return false;
    }
    announcements++;
    return true;
  }

  /// Whether the network is to be asked now, before the first use; counts it.
  boolean probes(long now) {
    if (probes >= PROBES || now - since < probes * PROBE_EVERY) {
      return false;
    }
    probes++;
    return true;
  }

  /// Whether it was asked often enough, and long enough ago for an answer.
  boolean isProbed(long now) {
    return probes >= PROBES && now - since >= PROBES * PROBE_EVERY;
  }

  /// Whether the network is to be asked now because the API is away; notes it.
  boolean doubts(long now) {
    if (doubted && now - lastDoubtProbe < HolderCertainty.PROBE_EVERY.toNanos()) {
      return false;
    }
    doubted = true;
    lastDoubtProbe = now;
    certainty.probed(now);
    return true;
  }

  /// Whether it is to be defended against a machine that claims it, which is seldom; notes it.
  boolean defends(long now) {
    if (defended && now - lastDefence < DEFEND_EVERY) {
      return false;
    }
    defended = true;
    lastDefence = now;
    return true;
  }

  /// Whether its owner is asked to let a better node have it, and was not before; notes it.
  boolean isToRebalance(String asked) {
    boolean changed = !asked.equals(rebalance);
    rebalance = asked;
    return changed && !asked.isEmpty();
  }
}
