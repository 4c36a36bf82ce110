package io.fairlead.dns.wire;

import java.util.Arrays;
import java.util.HexFormat;

/// A fixed sequence of bytes, compared by content.
public final class ImmutableBytes {
  public static final ImmutableBytes EMPTY = new ImmutableBytes(new byte[0]);

  private final byte[] data;

  private ImmutableBytes(byte[] data) {
    this.data = data;
  }

  public static ImmutableBytes of(byte[] data) {
    return new ImmutableBytes(data.clone());
  }

  public static ImmutableBytes of(byte[] data, int from, int length) {
    return new ImmutableBytes(Arrays.copyOfRange(data, from, from + length));
  }

  /// Reads `0a1b`; IllegalArgumentException for anything else.
  public static ImmutableBytes ofHex(String hex) {
    return new ImmutableBytes(HexFormat.of().parseHex(hex));
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
    return other instanceof ImmutableBytes bytes && Arrays.equals(data, bytes.data);
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
