package io.fairlead.kernel.route;

import java.util.HexFormat;

/// The address of an interface on its own network, `0a:00:27:00:00:02`.
///
/// @param bits the 48 bits of it, the first byte uppermost
public record HardwareAddress(long bits) {
  /// Of every interface at once.
  public static final HardwareAddress BROADCAST = new HardwareAddress(0xffff_ffff_ffffL);

  private static final int LENGTH = 6;
  private static final HexFormat FORMAT = HexFormat.ofDelimiter(":");

  public HardwareAddress {
    if (bits >>> (8 * LENGTH) != 0) {
      throw new IllegalArgumentException("a hardware address has 48 bits");
    }
  }

  /// Reads six pairs of digits with colons; IllegalArgumentException for anything else.
  public static HardwareAddress parse(String text) {
    byte[] bytes = FORMAT.parseHex(text);
    if (bytes.length != LENGTH) {
      throw new IllegalArgumentException(text + ": not a hardware address");
    }
    return of(bytes);
  }

  static HardwareAddress of(byte[] bytes) {
    long bits = 0;
    for (byte one : bytes) {
      bits = bits << 8 | (one & 0xff);
    }
    return new HardwareAddress(bits);
  }

  byte[] bytes() {
    byte[] bytes = new byte[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      bytes[i] = (byte) (bits >>> (8 * (LENGTH - 1 - i)));
    }
    return bytes;
  }

  @Override
  public String toString() {
    return FORMAT.formatHex(bytes());
  }
}
