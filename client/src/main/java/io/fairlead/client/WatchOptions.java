package io.fairlead.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Which objects to watch and from where. Bookmarks are always asked for.
///
/// @param resourceVersion changes after this one; empty for "from now, with the present state
///   first"
/// @param initialEvents ask for the present state as a stream that ends with a marked bookmark
/// @param timeout when the server is to end the watch
public record WatchOptions(
    String labelSelector,
    String fieldSelector,
    String resourceVersion,
    boolean initialEvents,
    Duration timeout) {

  public static WatchOptions from(String resourceVersion, Duration timeout) {
    return new WatchOptions("", "", resourceVersion, false, timeout);
  }

  public Map<String, String> query() {
    Map<String, String> query = new LinkedHashMap<>();
    ListOptions.putUnlessEmpty(query, "labelSelector", labelSelector);
    ListOptions.putUnlessEmpty(query, "fieldSelector", fieldSelector);
    ListOptions.putUnlessEmpty(query, "resourceVersion", resourceVersion);
    query.put("allowWatchBookmarks", "true");
    if (initialEvents) {
      query.put("resourceVersionMatch", "NotOlderThan");
      query.put("sendInitialEvents", "true");
    }
    query.put("timeoutSeconds", Long.toString(timeout.toSeconds()));
    query.put("watch", "true");
    return query;
  }
}
