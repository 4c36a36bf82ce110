package io.fairlead.proxy.core;

import java.util.Map;

/// What is in the kernel.
///
/// @param listing the rules as the mode's own tool would print them
/// @param traffic what each service port has carried, where the mode counts
/// @param counters other counts, by name
public record DataPlaneSnapshot(
    String listing, Map<ServicePortName, Traffic> traffic, Map<String, Long> counters) {

  /// How much went one way.
  public record Traffic(long packets, long bytes) {}

  public DataPlaneSnapshot {
    traffic = Map.copyOf(traffic);
    counters = Map.copyOf(counters);
  }
}
