package io.fairlead.store.engine;

import io.fairlead.store.KeyChange;
import java.util.List;

/// Where a watch that is behind reads what it has missed.
@FunctionalInterface
public interface History {
  /// Reads whole commits with a revision in `(after, upTo]`, oldest first, as many as fit one step.
  ///
  /// @throws io.fairlead.store.CompactedException when history behind `after` is gone
  Batch read(String prefix, long after, long upTo);

  /// A step of catching up.
  ///
  /// @param changes those under the prefix
  /// @param through everything up to and including this revision is in `changes`
  record Batch(List<KeyChange> changes, long through) {}
}
