package io.fairlead.server.cache;

import org.jspecify.annotations.Nullable;

/// A watch as the client asked for it, unchecked.
///
/// @param resourceVersion as in the query, empty when absent
/// @param match `resourceVersionMatch`, empty when absent
/// @param sendInitialEvents null when absent
/// @param bookmarks `allowWatchBookmarks`
public record WatchQuery(
    SelectionPredicate selection,
    String resourceVersion,
    String match,
    @Nullable Boolean sendInitialEvents,
    boolean bookmarks) {}
