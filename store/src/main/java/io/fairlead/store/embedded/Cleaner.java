package io.fairlead.store.embedded;

import java.util.ArrayList;
import java.util.List;

/// Forgets compacted history in small steps, then gives free space back to the disk.
///
/// How it works: a change makes the row before it superfluous once its own revision is compacted,
/// and a tombstone is superfluous itself. So the cleaner walks the compacted changes once, in
/// order, deleting the row before each; how far it has come is stored in the same transaction, and
/// it goes on from there after a crash. A tombstone goes in the same transaction as the row before
/// it, or later: whoever reads history from its start never meets a value that was deleted. A
/// tombstone that was written over is left to the change that did it, so that a chain of rows above
/// the compacted revision never has a hole.
///
/// Runs on the writer thread, one step between groups of commits.
final class Cleaner {
  private static final int STEP = 500;
  private static final int KEEP_FREE_PAGES = 1024;
  private static final int SHRINK_STEP = 128;

  private final Tables tables;
  private final Index index;
  private boolean shrinking = true;

  Cleaner(Tables tables, Index index) {
    this.tables = tables;
    this.index = index;
  }

  boolean hasWork(State state) {
    return shrinking || state.cleanedId() < Row.lastId(state.compacted());
  }

  /// Does one step.
  ///
  /// @return the new summary
  State step(State state) throws Tables.FailedException {
    long lastId = Row.lastId(state.compacted());
    if (state.cleanedId() >= lastId) {
      shrinking = tables.shrink(KEEP_FREE_PAGES, SHRINK_STEP);
      return state;
    }
    List<Row> rows = tables.rows(state.cleanedId(), lastId, STEP);
    List<Long> superfluous = new ArrayList<>();
    List<Version> tombstones = new ArrayList<>();
    for (Row row : rows) {
      if (row.previousId != 0) {
        superfluous.add(row.previousId);
      }
      Version newest = index.get(row.key);
      if (row.value == null && newest != null && newest.id() == row.id) {
        superfluous.add(row.id);
        tombstones.add(newest);
      }
    }
    State cleaned = state.withCleaned(rows.size() < STEP ? lastId : rows.getLast().id);
    for (Version tombstone : tombstones) {
      cleaned = cleaned.minus(tombstone);
    }
    tables.clean(superfluous, cleaned);
    tombstones.forEach(index::remove);
    shrinking = true;
    return cleaned;
  }
}
