package io.fairlead.store.embedded;

import java.util.ArrayList;
import java.util.List;

/// Forgets compacted history in small steps, then gives free space back to the disk.
///
/// How it works: a change makes the row before it superfluous once its own revision is compacted,
/// and a tombstone is superfluous itself. So the cleaner walks the compacted changes once, in
/// order, deleting the row before each; how far it has come is stored in the same transaction, and
/// it goes on from there after a crash. A tombstone goes in the same transaction as the row before
/// it, or later: a reader of history from its start never meets a value that was deleted. A
/// tombstone that was written over is left to the change that did it, so that a chain of rows above
/// the compacted revision never has a hole.
///
/// Runs on the writer thread, one step between groups of commits.
final class HistoryCleaner {
  private static final int STEP = 500;
  private static final int KEEP_FREE_PAGES = 1024;
  private static final int SHRINK_STEP = 128;

  private final WriteTransactions tables;
  private final KeyIndex index;
  private boolean shrinking = true;

  HistoryCleaner(WriteTransactions tables, KeyIndex index) {
    this.tables = tables;
    this.index = index;
  }

  boolean hasWork(StateRow state) {
    return shrinking || state.cleanedId() < HistoryRow.lastId(state.compacted());
  }

  /// Does one step.
  ///
  /// @return the new summary
  StateRow step(StateRow state) throws WriteTransactions.FailedException {
    long lastId = HistoryRow.lastId(state.compacted());
    if (state.cleanedId() >= lastId) {
      shrinking = tables.shrink(KEEP_FREE_PAGES, SHRINK_STEP);
      return state;
    }
    List<HistoryRow> rows = tables.rows(state.cleanedId(), lastId, STEP);
    List<Long> superfluous = new ArrayList<>();
    List<KeyVersion> tombstones = new ArrayList<>();
    for (HistoryRow row : rows) {
      if (row.previousId != 0) {
        superfluous.add(row.previousId);
      }
      KeyVersion newest = index.get(row.key);
      if (row.value == null && newest != null && newest.id() == row.id) {
        superfluous.add(row.id);
        tombstones.add(newest);
      }
    }
    StateRow cleaned = state.withCleaned(rows.size() < STEP ? lastId : rows.getLast().id);
    for (KeyVersion tombstone : tombstones) {
      cleaned = cleaned.minus(tombstone);
    }
    tables.clean(superfluous, cleaned);
    tombstones.forEach(index::remove);
    shrinking = true;
    return cleaned;
  }
}
