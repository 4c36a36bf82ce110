package io.fairlead.kernel.nftables;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/// What the parts of keys and values mean. The kernel only knows lengths; the numbers tell the
/// `nft` tool how to print them.
public enum DataType {
  IPV4_ADDRESS(7, 4),
  IPV6_ADDRESS(8, 16),
  PROTOCOL(12, 1),
  PORT(13, 2),
  MARK(19, 4),
  /// `meta priority`, written as two numbers: `f100:3`.
  CLASS(23, 4),
  INTERFACE_NAME(41, 16);

  static final int BITS = 6;

  private final int number;
  private final int length;

  DataType(int number, int length) {
    this.number = number;
    this.length = length;
  }

  /// The number the `nft` tool gave it.
  int number() {
    return number;
  }

  /// Its bytes, without padding.
  public int length() {
    return length;
  }

  /// Its bytes inside a concatenation, where each part fills whole registers of four bytes.
  public int padded() {
    return (length + 3) & ~3;
  }

  /// Whether it is a number in the machine's byte order, not the network's.
  boolean isHostOrder() {
    return this == MARK || this == CLASS;
  }

  static DataType of(int number) {
    for (DataType type : values()) {
      if (type.number == number) {
        return type;
      }
    }
    throw new io.fairlead.kernel.netlink.MalformedMessageException("unknown data type " + number);
  }

  /// As a person writes it.
  String text(byte[] bytes, int from) {
    return switch (this) {
      case IPV4_ADDRESS, IPV6_ADDRESS ->
          address(java.util.Arrays.copyOfRange(bytes, from, from + length));
      case PROTOCOL ->
          switch (bytes[from] & 0xff) {
            case 6 -> "tcp";
            case 17 -> "udp";
            case 132 -> "sctp";
            default -> Integer.toString(bytes[from] & 0xff);
          };
      case PORT -> Integer.toString((bytes[from] & 0xff) << 8 | (bytes[from + 1] & 0xff));
      case MARK ->
          Integer.toUnsignedString(
              java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.nativeOrder()).getInt(from));
      case CLASS -> {
        int value =
            java.nio.ByteBuffer.wrap(bytes).order(java.nio.ByteOrder.nativeOrder()).getInt(from);
        yield Integer.toHexString(value >>> 16) + ":" + Integer.toHexString(value & 0xffff);
      }
      case INTERFACE_NAME ->
          new String(bytes, from, length, StandardCharsets.UTF_8).replace("\0", "");
    };
  }

  private static String address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
