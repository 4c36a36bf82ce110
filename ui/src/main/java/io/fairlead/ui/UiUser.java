package io.fairlead.ui;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Whose eyes a session looks through, as the API server authenticated them.
///
/// @param uid empty when the authenticator gives none
public record UiUser(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public UiUser {
    groups = List.copyOf(groups);
    Map<String, List<String>> copy = new LinkedHashMap<>();
    extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    extra = java.util.Collections.unmodifiableMap(copy);
  }

  public static UiUser named(String name, String... groups) {
    return new UiUser(name, "", List.of(groups), Map.of());
  }
}
