package io.fairlead.store.embedded;

import io.fairlead.store.Change;
import io.fairlead.store.Entry;
import io.fairlead.store.Outcome;
import io.fairlead.store.Write;
import io.fairlead.store.watch.WatchHub;
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
final class Batch {
  private final Index index;
  private final List<Row> rows = new ArrayList<>();
  private final List<WatchHub.Commit> commits = new ArrayList<>();
  private final Map<String, Version> newest = new LinkedHashMap<>();
  private long revision;

  Batch(Index index) {
    this.index = index;
    this.revision = index.revision();
  }

  /// Judges one commit and, if it holds, adds it to the group.
  Outcome add(List<Write> writes) {
    for (Write write : writes) {
      Version version = newest(write.key());
      Entry current = version == null ? null : version.entry();
      long expected = write.expectedRevision();
      if (expected != Write.ANY && expected != (current == null ? 0 : current.modRevision())) {
        return new Outcome.Conflict(write.key(), current);
      }
    }
    List<Write> effective = effective(writes);
    if (!effective.isEmpty()) {
      apply(effective);
    }
    return new Outcome.Committed(revision);
  }

  /// The writes that change something.
  private List<Write> effective(List<Write> writes) {
    List<Write> effective = new ArrayList<>(writes.size());
    for (Write write : writes) {
      switch (write) {
        case Write.Put put -> effective.add(put);
        case Write.Delete delete -> {
          Version version = newest(delete.key());
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
    List<Change> changes = new ArrayList<>(writes.size());
    for (int i = 0; i < writes.size(); i++) {
      Write write = writes.get(i);
      Version before = newest(write.key());
      Entry previous = before == null ? null : before.entry();
      Row row = row(write, i, writes.size(), before);
      Version version = Version.of(row);
      rows.add(row);
      newest.put(row.key, version);
      changes.add(new Change(row.key, revision, version.entry(), previous));
    }
    commits.add(new WatchHub.Commit(revision, List.copyOf(changes)));
  }

  private Row row(Write write, int ordinal, int changes, @Nullable Version before) {
    long id = Row.firstId(revision) + ordinal;
    long previousId = before == null ? 0 : before.id();
    if (!(write instanceof Write.Put put)) {
      return new Row(id, previousId, 0, 0, changes, write.key(), null);
    }
    Entry previous = before == null ? null : before.entry();
    long created = previous == null ? revision : previous.createRevision();
    byte[] value = put.value().bytes();
    return new Row(id, previousId, created, put.ttlSeconds(), changes, put.key(), value);
  }

  private @Nullable Version newest(String key) {
    Version version = newest.get(key);
    return version == null ? index.get(key) : version;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  List<Row> rows() {
    return rows;
  }

  /// What watches are told.
  List<WatchHub.Commit> commits() {
    return commits;
  }

  /// The last version of each key the group writes: what the index becomes.
  Collection<Version> newest() {
    return newest.values();
  }

  long revision() {
    return revision;
  }

  /// What the summary becomes.
  State state(State before) {
    State state = before.withRevision(revision);
    for (Version version : newest.values()) {
      Version old = index.get(version.key());
      state = old == null ? state.plus(version) : state.minus(old).plus(version);
    }
    return state;
  }

  /// About how many bytes the group adds to the write-ahead log.
  long weight() {
    long weight = 8192;
    for (Row row : rows) {
      weight += row.key.length() + 64L + (row.value == null ? 0 : row.value.length);
    }
    return weight;
  }
}
