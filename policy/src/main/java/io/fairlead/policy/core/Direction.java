package io.fairlead.policy.core;

import java.util.Locale;

/// Which side of a connection a policy speaks for.
public enum Direction {
  EGRESS,
  INGRESS;

  /// `egress`, `ingress`.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
