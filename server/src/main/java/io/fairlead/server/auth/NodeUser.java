package io.fairlead.server.auth;

import org.jspecify.annotations.Nullable;

/// Which node a user is: `system:node:NAME` of group `system:nodes`. One without a name is no Node
/// that there can be, so that nothing is its own: the pods that are on no node yet are not.
public final class NodeUser {
  private static final String GROUP = "system:nodes";
  private static final String PREFIX = "system:node:";
  private static final String NAMELESS = "?";

  private NodeUser() {}

  /// The name of the node, or null when the user is none.
  public static @Nullable String of(UserInfo user) {
    if (!user.isIn(GROUP) || !user.name().startsWith(PREFIX)) {
      return null;
    }
    String name = user.name().substring(PREFIX.length());
    return name.isEmpty() ? NAMELESS : name;
  }
}
