package io.fairlead.server.auth;

import java.util.List;

/// `--authorization-mode=AlwaysAllow`: every authenticated user may do everything.
public final class AlwaysAllow implements Authorizer {
  private static final List<String> ALL = List.of("*");

  @Override
  public Decision authorize(Attributes attributes) {
    return new Decision(true, "");
  }

  @Override
  public List<Rule> rules(UserInfo user, String namespace) {
    return List.of(
        new Rule(ALL, ALL, ALL, List.of(), List.of()),
        new Rule(ALL, List.of(), List.of(), List.of(), ALL));
  }
}
