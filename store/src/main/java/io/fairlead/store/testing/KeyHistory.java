package io.fairlead.store.testing;

import io.fairlead.store.StoreEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one key has held, oldest first. A null entry is a tombstone.
final class KeyHistory {
  private record Version(long revision, @Nullable StoreEntry entry) {}

  private final List<Version> versions = new ArrayList<>();

  void add(long revision, @Nullable StoreEntry entry) {
    versions.add(new Version(revision, entry));
  }

  @Nullable StoreEntry newest() {
    return versions.isEmpty() ? null : versions.getLast().entry();
  }

  @Nullable StoreEntry at(long revision) {
    int index = indexAt(revision);
    return index < 0 ? null : versions.get(index).entry();
  }

  /// Forgets what no reader at or above that revision can see.
  ///
  /// @return whether nothing is left
  boolean compact(long revision) {
    int index = indexAt(revision);
    if (index >= 0 && versions.get(index).entry() == null) {
      index++;
    }
    if (index > 0) {
      versions.subList(0, index).clear();
    }
    return versions.isEmpty();
  }

  private int indexAt(long revision) {
    int index = versions.size() - 1;
    while (index >= 0 && versions.get(index).revision() > revision) {
      index--;
    }
    return index;
  }
}
