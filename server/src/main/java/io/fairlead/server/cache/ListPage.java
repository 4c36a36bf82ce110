package io.fairlead.server.cache;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One page of objects at one revision, in key order.
///
/// @param continueToken for the next page; empty when this is the last
/// @param remaining how many follow, null when that is not known (selectors) or nothing follows
public record ListPage(
    List<CachedObject> items, long revision, String continueToken, @Nullable Long remaining) {}
