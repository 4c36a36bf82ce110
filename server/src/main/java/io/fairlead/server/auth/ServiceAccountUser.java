package io.fairlead.server.auth;

import java.util.List;
import java.util.Map;

/// How a service account is called as a user.
final class ServiceAccountUser {
  static final String PREFIX = "system:serviceaccount:";

  private static final String ALL = "system:serviceaccounts";

  private ServiceAccountUser() {}

  static String name(String namespace, String account) {
    return PREFIX + namespace + ":" + account;
  }

  static List<String> groups(String namespace) {
    return List.of(ALL, ALL + ":" + namespace);
  }

  static UserInfo user(
      String namespace, String account, String uid, Map<String, List<String>> extra) {
    return new UserInfo(name(namespace, account), uid, groups(namespace), extra);
  }

  /// Namespace and account of a user name, or an empty list when it is no service account's.
  static List<String> parts(String user) {
    if (!user.startsWith(PREFIX)) {
      return List.of();
    }
    String rest = user.substring(PREFIX.length());
    int colon = rest.indexOf(':');
    boolean fits = colon > 0 && colon < rest.length() - 1 && rest.indexOf(':', colon + 1) < 0;
    return fits ? List.of(rest.substring(0, colon), rest.substring(colon + 1)) : List.of();
  }
}
