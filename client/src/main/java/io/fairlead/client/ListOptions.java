package io.fairlead.client;

import java.util.LinkedHashMap;
import java.util.Map;

/// Which objects to list and how fresh; empty fields are left out.
///
/// @param limit objects per page; 0 for no limit
public record ListOptions(
    String labelSelector,
    String fieldSelector,
    String resourceVersion,
    String resourceVersionMatch,
    int limit,
    String continueToken) {
  public static final ListOptions ALL = new ListOptions("", "", "", "", 0, "");

  public ListOptions labelled(String selector) {
    return new ListOptions(
        selector, fieldSelector, resourceVersion, resourceVersionMatch, limit, continueToken);
  }

  public ListOptions limited(int most) {
    return new ListOptions(
        labelSelector, fieldSelector, resourceVersion, resourceVersionMatch, most, continueToken);
  }

  /// The state of that version or a later one; `0` for whatever is at hand.
  public ListOptions notOlderThan(String version) {
    return new ListOptions(
        labelSelector, fieldSelector, version, "NotOlderThan", limit, continueToken);
  }

  /// The page that a token leads to. Freshness is that of the first page.
  public ListOptions continuing(String token) {
    return new ListOptions(labelSelector, fieldSelector, "", "", limit, token);
  }

  public Map<String, String> query() {
    Map<String, String> query = new LinkedHashMap<>();
    putUnlessEmpty(query, "labelSelector", labelSelector);
    putUnlessEmpty(query, "fieldSelector", fieldSelector);
    putUnlessEmpty(query, "resourceVersion", resourceVersion);
    putUnlessEmpty(query, "resourceVersionMatch", resourceVersionMatch);
    if (limit > 0) {
      query.put("limit", Integer.toString(limit));
    }
    putUnlessEmpty(query, "continue", continueToken);
    return query;
  }

  static void putUnlessEmpty(Map<String, String> query, String key, String value) {
    if (!value.isEmpty()) {
      query.put(key, value);
    }
  }
}
