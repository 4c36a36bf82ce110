package io.fairlead.kernel.ipvs;

/// A real server as the kernel lists it.
///
/// @param active established connections
/// @param inactive connections in any other state, among them those that ended a while ago
/// @param persistent clients that are bound to it
public record ListedRealServer(
    RealServer server, int active, int inactive, int persistent, IpvsStatistics statistics) {

  /// Connections of any state.
  public int connections() {
    return active + inactive;
  }
}
