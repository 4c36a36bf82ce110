package io.fairlead.kernel.socket;

/// How a connection came out.
///
/// @param nanos from the first packet to the answer, or until the probe gave up
/// @param detail the system's words where there is no answer; empty otherwise
public record ConnectResult(Outcome outcome, long nanos, String detail) {

  /// What happened.
  public enum Outcome {
    /// The other side took the connection; for UDP, it answered.
    CONNECTED,
    REFUSED,
    TIMEOUT,
    /// No route, or a router said that there is none.
    UNREACHABLE,
    /// Something on this side.
    FAILED
  }
}
