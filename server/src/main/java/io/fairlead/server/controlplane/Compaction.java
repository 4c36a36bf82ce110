package io.fairlead.server.controlplane;

import io.fairlead.store.Store;
import java.util.ArrayDeque;
import java.util.Deque;

/// Forgets history that is older than some rounds. Each round compacts to the revision of that many
/// rounds before, so a client can page and resume for at least that long: the more rounds in a
/// time, the less is kept beyond it. Revisions and rounds tell the age, no clock does. Owned by the
/// thread that runs the rounds.
public final class Compaction {
  private final Store store;
  private final int rounds;
  // Where the store was, oldest first.
  private final Deque<Long> before = new ArrayDeque<>();
  private long compacted;

  /// @param rounds how many of them are kept
  public Compaction(Store store, int rounds) {
    this.store = store;
    this.rounds = rounds;
    before.add(store.revision());
  }

  /// Compacts to where the store was some rounds ago. A round that fails changes nothing: however
  /// often it is repeated, no history is lost sooner.
  public void round() {
    long now = store.revision();
    if (before.size() >= rounds) {
      long oldest = before.getFirst();
      if (oldest > compacted) {
        store.compact(oldest);
        compacted = oldest;
      }
      before.removeFirst();
    }
    before.addLast(now);
  }
}
