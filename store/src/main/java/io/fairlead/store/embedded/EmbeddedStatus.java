package io.fairlead.store.embedded;

import org.jspecify.annotations.Nullable;

/// How an embedded store is doing, for metrics and readiness.
///
/// @param revision the newest
/// @param compacted history up to here is forgotten
/// @param cleaned and up to here also gone from the disk; what lies between is the cleaner's lag
/// @param keys in memory, tombstones of recent deletions included
/// @param fileBytes size of the database file
/// @param logBytes size of the write-ahead log
/// @param trouble why the last write failed; null when it did not
public record EmbeddedStatus(
    long revision,
    long compacted,
    long cleaned,
    long keys,
    long fileBytes,
    long logBytes,
    @Nullable String trouble) {}
