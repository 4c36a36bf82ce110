package io.fairlead.server.auth;

import java.util.List;
import java.util.Map;

/// Who sent a request, as the authenticator found out.
public record UserInfo(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public static final UserInfo ANONYMOUS =
      new UserInfo("system:anonymous", "", List.of("system:unauthenticated"), Map.of());

  public UserInfo {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  /// That service account, whether it exists or not.
  public static UserInfo serviceAccount(String namespace, String account) {
    return ServiceAccountUser.user(namespace, account, "", Map.of());
  }

  public boolean isIn(String group) {
    return groups.contains(group);
  }
}
