package io.fairlead.kernel.nftables;

import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;

/// An immutable run of bytes: a key, a value, what a register is compared with.
public final class NftData {
  public static final NftData EMPTY = new NftData(new byte[0]);

  /// Keys differ in few bits; the usual multiplier of 31 would give most of them the same hash.
  private static final int SPREAD = 0x9e3779b1;

  private final byte[] array;

  /// Keys are looked up several times each; 0 means not computed yet.
  private int hash;

  private NftData(byte[] array) {
    this.array = array;
  }

  public static NftData of(byte... bytes) {
    return new NftData(bytes.clone());
  }

  /// Takes the array over: the caller must not change it afterwards.
  public static NftData wrap(byte[] bytes) {
    return new NftData(bytes);
  }

  public static NftData ofHex(String hex) {
    return new NftData(HexFormat.of().parseHex(hex));
  }

  /// Four bytes in the machine's order, as marks and numbers of the kernel are.
  public static NftData host32(int value) {
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
  public NftData join(NftData then) {
    byte[] joined = Arrays.copyOf(array, array.length + then.array.length);
    System.arraycopy(then.array, 0, joined, array.length, then.array.length);
    return new NftData(joined);
  }

  /// This and then [four bytes][#host32].
  public NftData join32(int value) {
    int inOrder =
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
    byte[] joined = Arrays.copyOf(array, array.length + Integer.BYTES);
    joined[array.length] = (byte) (inOrder >> 24);
    joined[array.length + 1] = (byte) (inOrder >> 16);
    joined[array.length + 2] = (byte) (inOrder >> 8);
    joined[array.length + 3] = (byte) inOrder;
    return new NftData(joined);
  }

  /// Part of it.
  public NftData slice(int from, int length) {
    return new NftData(Arrays.copyOfRange(array, from, from + length));
  }

  /// The array itself, for writers that only read it.
  byte[] array() {
    return array;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NftData bytes && Arrays.equals(array, bytes.array);
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
