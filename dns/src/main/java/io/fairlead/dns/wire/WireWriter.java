package io.fairlead.dns.wire;

import java.util.Arrays;

/// A growing buffer of bytes that writes names once and then points to them (RFC 1035 4.1.4).
///
/// How it works: every label start written below offset 16,384 goes into a small table keyed by the
/// hash of the name that begins there. A later name looks up its suffixes from the longest on. Only
/// equal spellings count, so a name never changes its case. A full table means less compression,
/// never a wrong name.
final class WireWriter {
  private static final int POINTER_LIMIT = 0x4000;
  private static final int LARGE_TABLE = 1024;
  private static final int SMALL_TABLE = 128;
  private static final int FEW = 4;
  private static final int PROBES = 8;

  private byte[] bytes;
  private int at;
  private final short[] table;

  /// @param records about how many with names will be written
  WireWriter(int capacity, int records) {
    bytes = new byte[capacity];
    table = new short[records <= FEW ? SMALL_TABLE : LARGE_TABLE];
  }

  int position() {
    return at;
  }

  /// Takes back what was written from there on. Names noted meanwhile are forgotten by comparing:
  /// an entry beyond the end is no hit.
  void rewind(int position) {
    at = position;
  }

  void u8(int value) {
    ensureCapacity(1);
    bytes[at++] = (byte) value;
  }

  void u16(int value) {
    ensureCapacity(2);
    bytes[at++] = (byte) (value >> 8);
    bytes[at++] = (byte) value;
  }

  void u32(long value) {
    u16((int) (value >>> 16));
    u16((int) value);
  }

  void u16At(int position, int value) {
    bytes[position] = (byte) (value >> 8);
    bytes[position + 1] = (byte) value;
  }

  void bytes(ImmutableBytes data) {
    ensureCapacity(data.length());
    data.copyTo(bytes, at);
    at += data.length();
  }

  void plainName(Name name) {
    ensureCapacity(name.length());
    name.copyTo(bytes, at);
    at += name.length();
  }

  void name(Name name) {
    byte[] wire = name.toWire();
    ensureCapacity(wire.length);
    int label = 0;
    while (wire[label] != 0) {
      int known = find(wire, label);
      if (known >= 0) {
        u16(0xc000 | known);
        return;
      }
      note(wire, label, at);
      int size = wire[label] + 1;
      System.arraycopy(wire, label, bytes, at, size);
      at += size;
      label += size;
    }
    bytes[at++] = 0;
  }

  byte[] toArray() {
    return Arrays.copyOf(bytes, at);
  }

  private int find(byte[] wire, int from) {
    int slot = slot(wire, from);
    for (int i = 0; i < PROBES; i++) {
      int offset = table[(slot + i) & (table.length - 1)];
      if (offset == 0) {
        return -1;
      }
      if (offset < at && matches(wire, from, offset)) {
        return offset;
      }
    }
    return -1;
  }

  private void note(byte[] wire, int from, int offset) {
    if (offset >= POINTER_LIMIT) {
      return;
    }
    int slot = slot(wire, from);
    for (int i = 0; i < PROBES; i++) {
      int index = (slot + i) & (table.length - 1);
      if (table[index] == 0 || table[index] >= offset) {
        table[index] = (short) offset;
        return;
      }
    }
  }

  private static int slot(byte[] wire, int from) {
    int hash = 17;
    for (int i = from; i < wire.length; i++) {
      hash = 31 * hash + wire[i];
    }
    return hash ^ hash >>> 15;
  }

  /// Whether the name written at an offset, pointers followed, is that suffix.
  private boolean matches(byte[] wire, int from, int offset) {
    int written = offset;
    int label = from;
    while (true) {
      while (written + 1 < at && (bytes[written] & 0xc0) == 0xc0) {
        written = (bytes[written] & 0x3f) << 8 | (bytes[written + 1] & 0xff);
      }
      int size = wire[label] + 1;
      if (written + size > at
          || !Arrays.equals(bytes, written, written + size, wire, label, label + size)) {
        return false;
      }
      if (size == 1) {
        return true;
      }
      written += size;
      label += size;
    }
  }

  private void ensureCapacity(int count) {
    if (at + count > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, at + count));
    }
  }
}
