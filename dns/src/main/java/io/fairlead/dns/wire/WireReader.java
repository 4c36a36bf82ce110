package io.fairlead.dns.wire;

import io.fairlead.dns.wire.WireException.Reason;

/// A cursor over the bytes of one message. Every read is checked against the end.
final class WireReader {
  private final byte[] bytes;
  private final int start;
  private final int end;
  private int at;
  // A name is gathered here before it becomes one.
  private final byte[] name = new byte[Name.LONGEST];

  WireReader(byte[] bytes, int start, int length) {
    this.bytes = bytes;
    this.start = start;
    this.end = start + length;
    this.at = start;
  }

  int position() {
    return at;
  }

  int remaining() {
    return end - at;
  }

  void need(int count) throws WireException {
    if (count > end - at) {
      throw new WireException(Reason.CUT_SHORT);
    }
  }

  int u8() throws WireException {
    need(1);
    return bytes[at++] & 0xff;
  }

  int u16() throws WireException {
    need(2);
    int value = (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
    at += 2;
    return value;
  }

  long u32() throws WireException {
    return (long) u16() << 16 | u16();
  }

  byte[] take(int count) throws WireException {
    need(count);
    byte[] taken = new byte[count];
    System.arraycopy(bytes, at, taken, 0, count);
    at += count;
    return taken;
  }

  /// A name, decompressed. A pointer must lead to a place before the one it was reached from, so
  /// following them ends.
  Name name() throws WireException {
    int length = 0;
    int read = at;
    int lowest = at;
    boolean jumped = false;
    while (true) {
      if (read >= end) {
        throw new WireException(Reason.CUT_SHORT);
      }
      int size = bytes[read] & 0xff;
      if (size >= 0xc0) {
        if (read + 1 >= end) {
          throw new WireException(Reason.CUT_SHORT);
        }
        int target = start + ((size & 0x3f) << 8 | (bytes[read + 1] & 0xff));
        if (!jumped) {
          at = read + 2;
          jumped = true;
        }
        if (target >= lowest) {
          throw new WireException(Reason.POINTER);
        }
        read = target;
        lowest = target;
        continue;
      }
      if (size > Name.LONGEST_LABEL) {
        throw new WireException(Reason.LABEL_TYPE);
      }
      if (length + size + 1 > Name.LONGEST) {
        throw new WireException(Reason.NAME_TOO_LONG);
      }
      if (read + 1 + size > end) {
        throw new WireException(Reason.CUT_SHORT);
      }
      System.arraycopy(bytes, read, name, length, size + 1);
      length += size + 1;
      read += size + 1;
      if (size == 0) {
        if (!jumped) {
          at = read;
        }
        return Name.ofWire(name, 0, length);
      }
    }
  }
}
