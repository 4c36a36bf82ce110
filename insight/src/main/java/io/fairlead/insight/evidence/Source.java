package io.fairlead.insight.evidence;

import java.util.Locale;

/// Where a piece of evidence is from. Users see these words beside each row.
public enum Source {
  /// An object or list that the API server gave in this run, or a computation on them.
  API,
  /// Read from a kernel: rules, counters, conntrack, sockets, routes, sysctls.
  KERNEL,
  /// A packet was sent, and something came back or not.
  PROBE,
  /// Predicted by the proxy's planner or renderer.
  MODEL,
  /// Noted by a component when it happened.
  RECORD;

  /// As users and documents see it: `api`, `kernel`…
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
