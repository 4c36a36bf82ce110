package io.fairlead.dns.wire;

import java.nio.charset.StandardCharsets;

/// One option of an OPT record.
public record EdnsOption(int code, ImmutableBytes data) {
  public static final int NSID = 3;
  public static final int CLIENT_SUBNET = 8;
  public static final int COOKIE = 10;
  public static final int TCP_KEEPALIVE = 11;
  public static final int PADDING = 12;

  /// Extended DNS Error (RFC 8914).
  public static final int ERROR = 15;

  public static final int ERROR_STALE_ANSWER = 3;
  public static final int ERROR_NOT_READY = 14;
  public static final int ERROR_BLOCKED = 15;
  public static final int ERROR_PROHIBITED = 18;
  public static final int ERROR_STALE_NXDOMAIN = 19;
  public static final int ERROR_NETWORK = 23;

  /// Says why, in an extended error.
  ///
  /// @param info one of the ERROR_ numbers
  public static EdnsOption error(int info, String text) {
    byte[] words = text.getBytes(StandardCharsets.UTF_8);
    byte[] data = new byte[words.length + 2];
    data[0] = (byte) (info >> 8);
    data[1] = (byte) info;
    System.arraycopy(words, 0, data, 2, words.length);
    return new EdnsOption(ERROR, ImmutableBytes.of(data));
  }
}
