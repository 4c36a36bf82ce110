package io.fairlead.kernel.netlink;

import io.fairlead.kernel.syscall.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Reads the messages of one received datagram one after another. Good until the next receive.
public final class NetlinkMessageReader {
  private final ByteBuffer buffer;
  private final int end;
  private int next;
  private int start;
  private int length;

  NetlinkMessageReader(ByteBuffer buffer, int length) {
    this.buffer = buffer;
    this.end = length;
  }

  /// Messages that lie in an array.
  public static NetlinkMessageReader of(byte[] bytes) {
    return new NetlinkMessageReader(
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()), bytes.length);
  }

  /// Goes on to the next message.
  ///
  /// @return false at the end
  public boolean next() {
    if (end - next < NetlinkConstants.HEADER_LENGTH) {
      return false;
    }
    int whole = buffer.getInt(next);
    if (whole < NetlinkConstants.HEADER_LENGTH || whole > end - next) {
      throw new MalformedMessageException(
          "a message says it is " + whole + " bytes long, " + (end - next) + " are left");
    }
    start = next;
    length = whole;
    next = Math.min(end, next + NetlinkConstants.align(whole));
    return true;
  }

  public int type() {
    return Short.toUnsignedInt(buffer.getShort(start + 4));
  }

  /// The netfilter subsystem, the upper half of the type.
  public int subsystem() {
    return type() >> 8;
  }

  /// What a netfilter message does, the lower half of the type.
  public int operation() {
    return type() & 0xff;
  }

  public int flags() {
    return Short.toUnsignedInt(buffer.getShort(start + 6));
  }

  public int sequence() {
    return buffer.getInt(start + 8);
  }

  /// The socket on whose behalf it was sent, 0 for the kernel itself.
  public int port() {
    return buffer.getInt(start + 12);
  }

  /// One byte of the fixed header that comes before the attributes.
  public int headerByte(int offset) {
    return Byte.toUnsignedInt(buffer.get(header(offset, 1)));
  }

  public int headerShort(int offset) {
    return Short.toUnsignedInt(buffer.getShort(header(offset, 2)));
  }

  public int headerInt(int offset) {
    return buffer.getInt(header(offset, 4));
  }

  /// The attributes after a fixed header of that length.
  public NetlinkAttributeReader attributes(int headerLength) {
    int from = header(0, headerLength) + NetlinkConstants.align(headerLength);
    return new NetlinkAttributeReader(buffer, Math.min(from, start + length), start + length);
  }

  /// Whether this is an answer: an error, or the acknowledgement with {@link Errno#NONE}.
  public boolean isAnswer() {
    return type() == NetlinkConstants.TYPE_ERROR;
  }

  /// The verdict of an answer, or the end of a dump.
  public Errno errno() {
    int number = headerInt(0);
    return number == 0 ? Errno.NONE : new Errno(-number);
  }

  /// The kernel's own words in an answer, empty when there are none.
  public String text() {
    if ((flags() & NetlinkConstants.FLAG_ACK_ATTRIBUTES) == 0) {
      return "";
    }
    // The answer holds the header of the refused message, and its body unless "capped".
    int quoted =
        type() == NetlinkConstants.TYPE_DONE
            ? 0
            : (flags() & NetlinkConstants.FLAG_CAPPED) != 0
                ? NetlinkConstants.HEADER_LENGTH
                : headerInt(4);
    if (quoted < 0 || quoted > length - NetlinkConstants.HEADER_LENGTH - 4) {
      return "";
    }
    NetlinkAttributeReader attributes = attributes(4 + NetlinkConstants.align(quoted));
    while (attributes.next()) {
      if (attributes.type() == NetlinkConstants.ERROR_ATTRIBUTE_TEXT) {
        return attributes.string();
      }
    }
    return "";
  }

  private int header(int offset, int size) {
    if (offset + size > length - NetlinkConstants.HEADER_LENGTH) {
      throw new MalformedMessageException(
          "message "
              + type()
              + " has "
              + (length - NetlinkConstants.HEADER_LENGTH)
              + " bytes, needed are "
              + (offset + size));
    }
    return start + NetlinkConstants.HEADER_LENGTH + offset;
  }
}
