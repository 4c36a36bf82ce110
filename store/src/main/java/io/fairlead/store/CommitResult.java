package io.fairlead.store;

import org.jspecify.annotations.Nullable;

/// What became of a commit.
public sealed interface CommitResult {
  /// Done and durable; every key written carries this revision.
  record Committed(long revision) implements CommitResult {}

  /// Nothing was written: `key` was not as expected. `current` is what it holds, null when nothing.
  record Conflict(String key, @Nullable StoreEntry current) implements CommitResult {}
}
