package io.fairlead.dns.wire;

import java.util.Arrays;
import java.util.HexFormat;

/// A fixed sequence of bytes, compared by content.
public final class Bytes {
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] data;

  private Bytes(byte[] data) {
    this.data = data;
  }

  public static Bytes of(byte[] data) {
    return new Bytes(data.clone());
  }

  public static Bytes of(byte[] data, int from, int length) {
    return new Bytes(Arrays.copyOfRange(data, from, from + length));
  }

  /// Reads `0a1b`; IllegalArgumentException for anything else.
  public static Bytes ofHex(String hex) {
    return new Bytes(HexFormat.of().parseHex(hex));
  }

  public int length() {
    return data.length;
  }

  public byte at(int index) {
    return data[index];
  }

  public byte[] toArray() {
    return data.clone();
  }

  public void copyTo(byte[] target, int at) {
    System.arraycopy(data, 0, target, at, data.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(data, bytes.data);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(data);
  }

  /// Lower-case hexadecimal.
  @Override
  public String toString() {
    return HexFormat.of().formatHex(data);
  }
}
