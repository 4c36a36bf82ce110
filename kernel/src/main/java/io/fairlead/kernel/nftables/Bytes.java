package io.fairlead.kernel.nftables;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/// An immutable run of bytes: a key, a value, what a register is compared with.
public final class Bytes {
  public static final Bytes EMPTY = new Bytes(new byte[0]);

  /// Keys differ in few bits; the usual multiplier of 31 would give most of them the same hash.
  private static final int SPREAD = 0x9e3779b1;

  private final byte[] array;

  /// Keys are looked up several times each; 0 means not computed yet.
  private int hash;

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
    return EMPTY.join32(value);
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

  /// This and then the other.
  public Bytes join(Bytes then) {
    byte[] joined = Arrays.copyOf(array, array.length + then.array.length);
    System.arraycopy(then.array, 0, joined, array.length, then.array.length);
    return new Bytes(joined);
  }

  /// This and then [four bytes][#host32].
  public Bytes join32(int value) {
    int inOrder =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    byte[] joined = Arrays.copyOf(array, array.length + Integer.BYTES);
    joined[array.length] = (byte) (inOrder >> 24);
    joined[array.length + 1] = (byte) (inOrder >> 16);
    joined[array.length + 2] = (byte) (inOrder >> 8);
    joined[array.length + 3] = (byte) inOrder;
    return new Bytes(joined);
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
    int known = hash;
    if (known == 0) {
      for (byte each : array) {
        known = (known ^ each) * SPREAD;
      }
      known ^= known >>> 15;
      hash = known;
    }
    return known;
  }

  @Override
  public String toString() {
    return "0x" + HexFormat.of().formatHex(array);
  }
}
