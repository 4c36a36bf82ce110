package io.fairlead.agent.spdy;

/// The numbers of control frames.
final class FrameType {
  static final int SYN_STREAM = 1;
  static final int SYN_REPLY = 2;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int HEADERS = 8;
  static final int WINDOW_UPDATE = 9;

  private FrameType() {}
}
