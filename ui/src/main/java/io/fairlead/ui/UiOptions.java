package io.fairlead.ui;

/// How the page is served.
///
/// @param port wished for; another one is taken when it is in use. 0 takes any
/// @param writes whether the page may change objects, for users who may
/// @param remote whether it is also served by TLS on the port of the API
public record UiOptions(int port, boolean writes, boolean remote) {
  /// Where people look for it.
  public static final int PORT = 6480;

  public static final UiOptions DEFAULT = new UiOptions(PORT, false);

  /// On loopback alone.
  public UiOptions(int port, boolean writes) {
    this(port, writes, false);
  }
}
