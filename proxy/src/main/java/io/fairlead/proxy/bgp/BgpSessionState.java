package io.fairlead.proxy.bgp;

/// How a session stands.
///
/// @param peer the router's name
/// @param phase where the protocol is, `Established` or `Idle`
/// @param reason of the last failure; empty when there was none
public record BgpSessionState(String peer, String phase, String reason) {
  private static final String ESTABLISHED = "Established";

  /// A session that nothing runs for.
  static BgpSessionState none(String peer, String reason) {
    return new BgpSessionState(peer, "Idle", reason);
  }

  /// Whether the router hears our routes.
  public boolean isUp() {
    return phase.equals(ESTABLISHED);
  }

  /// `Idle, "Connection refused"`.
  @Override
  public String toString() {
    return reason.isEmpty() ? phase : phase + ", \"" + reason + "\"";
  }
}
