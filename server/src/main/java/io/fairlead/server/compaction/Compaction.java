package io.fairlead.server.compaction;

import io.fairlead.store.Store;

/// Forgets history that is older than one round. Rounds come every few minutes; each compacts to
/// the revision of the round before, so a client can page and resume for at least that long.
/// Revisions and rounds tell the age, no clock does. Owned by the thread that runs the rounds.
public final class Compaction {
  private final Store store;
  private long roundBefore;

  public Compaction(Store store) {
    this.store = store;
    this.roundBefore = store.revision();
  }

  /// Compacts to where the store was one round ago. When that fails, the next round tries again.
  public void round() {
    long now = store.revision();
    if (now > roundBefore) {
      store.compact(roundBefore);
    }
    roundBefore = now;
  }
}
