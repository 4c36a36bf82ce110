package io.fairlead.store.embedded;

import io.fairlead.store.CommitResult;
import io.fairlead.store.KeyChange;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.Write;
import io.fairlead.store.engine.WatchHub;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A group of commits on their way to the disk together. Each is judged against the index and the
/// commits before it in the group, and takes its own revision.
///
/// Pure memory work of the writer thread; nothing is visible to others until the group is durable.
final class CommitGroup {
  private final KeyIndex index;
  private final List<HistoryRow> rows = new ArrayList<>();
  private final List<WatchHub.Commit> commits = new ArrayList<>();
  private final Map<String, KeyVersion> newest = new LinkedHashMap<>();
  private long revision;

  CommitGroup(KeyIndex index) {
    this.index = index;
    this.revision = index.revision();
  }

  /// Judges one commit and, if it holds, adds it to the group.
  CommitResult add(List<Write> writes) {
    for (Write write : writes) {
      KeyVersion version = newest(write.key());
      StoreEntry current = version == null ? null : version.entry();
      long expected = write.expectedRevision();
      if (expected != Write.ANY && expected != (current == null ? 0 : current.modRevision())) {
        return new CommitResult.Conflict(write.key(), current);
      }
    }
    List<Write> effective = effective(writes);
    if (!effective.isEmpty()) {
      apply(effective);
    }
    return new CommitResult.Committed(revision);
  }

  /// The writes that change something.
  private List<Write> effective(List<Write> writes) {
    List<Write> effective = new ArrayList<>(writes.size());
    for (Write write : writes) {
      switch (write) {
        case Write.Put put -> effective.add(put);
        case Write.Delete delete -> {
          KeyVersion version = newest(delete.key());
          if (version != null && version.entry() != null) {
            effective.add(delete);
          }
        }
        case Write.Check _ -> {}
      }
    }
    return effective;
  }

  private void apply(List<Write> writes) {
    revision++;
    List<KeyChange> changes = new ArrayList<>(writes.size());
    for (int i = 0; i < writes.size(); i++) {
      Write write = writes.get(i);
      KeyVersion before = newest(write.key());
      StoreEntry previous = before == null ? null : before.entry();
      HistoryRow row = row(write, i, writes.size(), before);
      KeyVersion version = KeyVersion.of(row);
      rows.add(row);
      newest.put(row.key, version);
      changes.add(new KeyChange(row.key, revision, version.entry(), previous));
    }
    commits.add(new WatchHub.Commit(revision, List.copyOf(changes)));
  }

  private HistoryRow row(Write write, int ordinal, int changes, @Nullable KeyVersion before) {
    long id = HistoryRow.firstId(revision) + ordinal;
    long previousId = before == null ? 0 : before.id();
    if (!(write instanceof Write.Put put)) {
      return new HistoryRow(id, previousId, 0, 0, changes, write.key(), null);
    }
    StoreEntry previous = before == null ? null : before.entry();
    long created = previous == null ? revision : previous.createRevision();
    byte[] value = put.value().bytes();
    return new HistoryRow(id, previousId, created, put.ttlSeconds(), changes, put.key(), value);
  }

  private @Nullable KeyVersion newest(String key) {
    KeyVersion version = newest.get(key);
    return version == null ? index.get(key) : version;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  List<HistoryRow> rows() {
    return rows;
  }

  /// What watches get.
  List<WatchHub.Commit> commits() {
    return commits;
  }

  /// The last version of each key the group writes: what the index becomes.
  Collection<KeyVersion> newest() {
    return newest.values();
  }

  long revision() {
    return revision;
  }

  /// What the summary becomes.
  StateRow state(StateRow before) {
    StateRow state = before.withRevision(revision);
    for (KeyVersion version : newest.values()) {
      KeyVersion old = index.get(version.key());
      state = old == null ? state.plus(version) : state.minus(old).plus(version);
    }
    return state;
  }

  /// About how many bytes the group adds to the write-ahead log.
  long weight() {
    long weight = 8192;
    for (HistoryRow row : rows) {
      weight += row.key.length() + 64L + (row.value == null ? 0 : row.value.length);
    }
    return weight;
  }
}
