package io.fairlead.kernel.nftables;

import java.util.Arrays;
import java.util.HexFormat;

/// An immutable run of bytes: a key, a value, what a register is compared with.
public final class Bytes {
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] array;

  private Bytes(byte[] array) {
    this.array = array;
  }

  public static Bytes of(byte... bytes) {
    return new Bytes(bytes.clone());
  }

  /// Takes the array over: the caller must not change it afterwards.
  public static Bytes wrap(byte[] bytes) {
    return new Bytes(bytes);
  }

  public static Bytes ofHex(String hex) {
    return new Bytes(HexFormat.of().parseHex(hex));
  }

  /// Four bytes in the machine's order, as marks and numbers of the kernel are.
  public static Bytes host32(int value) {
    return new Bytes(
        java.nio.ByteBuffer.allocate(4)
            .order(java.nio.ByteOrder.nativeOrder())
            .putInt(value)
            .array());
  }

  public int length() {
    return array.length;
  }

  public byte at(int index) {
    return array[index];
  }

  public byte[] toByteArray() {
    return array.clone();
  }

  /// Part of it.
  public Bytes slice(int from, int length) {
    return new Bytes(Arrays.copyOfRange(array, from, from + length));
  }

  /// The array itself, for writers that only read it.
  byte[] array() {
    return array;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(array, bytes.array);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(array);
  }

  @Override
  public String toString() {
    return "0x" + HexFormat.of().formatHex(array);
  }
}
