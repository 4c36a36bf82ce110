package io.fairlead.kernel.ipvs;

/// A real server as the kernel lists it.
///
/// @param active established connections
/// @param inactive connections in any other state, among them those that ended a while ago
/// @param persistent clients that are bound to it
public record ListedReal(
    RealServer server, int active, int inactive, int persistent, Statistics statistics) {

  /// Connections of any state.
  public int connections() {
    return active + inactive;
  }
}
