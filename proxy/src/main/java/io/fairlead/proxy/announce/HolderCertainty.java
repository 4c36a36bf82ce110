package io.fairlead.proxy.announce;

import java.time.Duration;

/// Whether a node that holds an address may answer for it. Time is that of the machine since it was
/// started, so that one that was suspended knows.
///
/// How it works: others take the address when they have not seen a renewal of our Lease for its
/// limit. Counted from the beginning of the request, our certainty ends before: normally there is
/// no moment with two. Without certainty, because the API is away, we go on answering as long as we
/// ask the network every half second and no other machine answers for the address; so an outage of
/// the API takes no address away, and a node that alone is cut off yields to its successor.
///
/// Not safe for several threads.
final class HolderCertainty {
  /// May it answer?
  enum State {
    /// Others know that it holds the address.
    SURE,
    /// Only while it asks the network.
    IN_DOUBT,
    /// No.
    OFF
  }

  /// How often to ask while in doubt.
  static final Duration PROBE_EVERY = Duration.ofMillis(500);

  private static final long OLDEST_PROBE = Duration.ofSeconds(1).toNanos();

  /// So long before the end of certainty the network is asked, so that there is no gap.
  private static final long FADING = Duration.ofMillis(150).toNanos();

  private long sureFor;
  private long renewed;
  private long probed;
  private boolean everRenewed;
  private boolean yielded;

  /// @param sureFor how long a renewal counts from the beginning of its request
  HolderCertainty(Duration sureFor) {
    this.sureFor = sureFor.toNanos();
  }

  /// With more nodes a renewal counts for longer.
  void sureFor(Duration time) {
    sureFor = time.toNanos();
  }

  /// Until when it may answer if nothing else happens; meaningless when it may not.
  long answersUntil() {
    return Math.max(renewed + sureFor, probed + OLDEST_PROBE);
  }

  /// The Lease was written.
  ///
  /// @param began when the request was sent
  void renewed(long began) {
    if (!everRenewed || began - renewed > 0) {
      renewed = began;
    }
    everRenewed = true;
    yielded = false;
  }

  /// The network was asked who has the address.
  void probed(long now) {
    probed = now;
  }

  /// Another machine answered for the address, or announced it.
  void heardAnother(long now) {
    if (!isSure(now)) {
      yielded = true;
    }
  }

  /// Whether it is not sure any more, or soon.
  boolean isFading(long now) {
    return !everRenewed || now - renewed >= sureFor - FADING;
  }

  /// What holds now. A state that is left for silence is not regained by probing alone: only a
  /// renewal makes it sure again.
  State at(long now) {
    if (isSure(now)) {
      return State.SURE;
    }
    boolean asked = everRenewed && now - Math.max(probed, renewed + sureFor) <= OLDEST_PROBE;
    if (yielded || !asked) {
      yielded = true;
      return State.OFF;
    }
    return State.IN_DOUBT;
  }

  private boolean isSure(long now) {
    return everRenewed && now - renewed < sureFor;
  }
}
