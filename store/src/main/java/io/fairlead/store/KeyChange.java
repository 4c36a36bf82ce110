package io.fairlead.store;

import org.jspecify.annotations.Nullable;

/// What happened to a key at a revision.
///
/// @param key which
/// @param revision when; for a put also the new entry's mod revision
/// @param current the new entry, null when the key was deleted
/// @param previous what stood there before, null when the key was created
public record KeyChange(
    String key, long revision, @Nullable StoreEntry current, @Nullable StoreEntry previous) {}
