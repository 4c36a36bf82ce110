package io.fairlead.kernel.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Reads the attributes of a message one after another. Every length is checked before it is
/// believed; bytes that do not fit give a {@link MalformedMessageException}.
///
/// It looks into the receive buffer: what it returns as arrays and text is copied, the cursor
/// itself is good only until the next receive.
public final class NetlinkAttributeReader {
  private final ByteBuffer buffer;
  private final int end;
  private int next;
  private int type;
  private int start;
  private int length;

  NetlinkAttributeReader(ByteBuffer buffer, int start, int end) {
    this.buffer = buffer;
    this.next = start;
    this.end = end;
  }

  /// Attributes that lie in an array, with nothing before them.
  public static NetlinkAttributeReader of(byte[] bytes) {
    return new NetlinkAttributeReader(
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), 0, bytes.length);
  }

  /// Goes on to the next attribute.
  ///
  /// @return false at the end
  public boolean next() {
    if (end - next < NetlinkConstants.ATTRIBUTE_HEADER_LENGTH) {
      return false;
    }
    int whole = Short.toUnsignedInt(buffer.getShort(next));
    if (whole < NetlinkConstants.ATTRIBUTE_HEADER_LENGTH || whole > end - next) {
      throw new MalformedMessageException(
          "an attribute says it is " + whole + " bytes long, " + (end - next) + " are left");
    }
    type = Short.toUnsignedInt(buffer.getShort(next + 2)) & NetlinkConstants.TYPE_MASK;
    start = next + NetlinkConstants.ATTRIBUTE_HEADER_LENGTH;
    length = whole - NetlinkConstants.ATTRIBUTE_HEADER_LENGTH;
    next = Math.min(end, next + NetlinkConstants.align(whole));
    return true;
  }

  /// The number of the attribute, without its flags.
  public int type() {
    return type;
  }

  /// How many bytes its value has.
  public int length() {
    return length;
  }

  public int u8() {
    return Byte.toUnsignedInt(buffer.get(checked(1)));
  }

  public int u16() {
    return Short.toUnsignedInt(buffer.getShort(checked(2)));
  }

  public int u32() {
    return buffer.getInt(checked(4));
  }

  public long u64() {
    return buffer.getLong(checked(8));
  }

  public int be16() {
    int at = checked(2);
    return Byte.toUnsignedInt(buffer.get(at)) << 8 | Byte.toUnsignedInt(buffer.get(at + 1));
  }

  public int be32() {
    int value = u32();
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value);
  }

  public long be64() {
    long value = buffer.getLong(checked(8));
    return ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
  }

  /// Text up to its zero byte, or all of it where there is none.
  public String string() {
    byte[] bytes = bytes();
    int zero = 0;
    while (zero < bytes.length && bytes[zero] != 0) {
      zero++;
    }
    return new String(bytes, 0, zero, StandardCharsets.UTF_8);
  }

  public byte[] bytes() {
    byte[] bytes = new byte[length];
    buffer.get(start, bytes);
    return bytes;
  }

  /// The attributes inside this one.
  public NetlinkAttributeReader nested() {
    return new NetlinkAttributeReader(buffer, start, start + length);
  }

  private int checked(int size) {
    if (length < size) {
      throw new MalformedMessageException(
          "attribute " + type + " has " + length + " bytes, needed are " + size);
    }
    return start;
  }
}
