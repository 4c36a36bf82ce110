package io.fairlead.store;

import java.util.List;

/// The answer to a [Range].
///
/// @param entries in key order
/// @param remaining how many more entries of the range lie behind the last one
/// @param revision the moment that was read
public record RangeResult(List<StoreEntry> entries, long remaining, long revision) {}
