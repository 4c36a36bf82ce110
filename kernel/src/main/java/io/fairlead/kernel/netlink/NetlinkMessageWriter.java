package io.fairlead.kernel.netlink;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// Builds messages one after another in memory the kernel can read, without copies.
///
/// How it works: a message or a nested attribute is opened, which returns where it began, and
/// closed with that number, which writes the length there. So nothing is measured before it is
/// written. The memory grows by doubling and is kept between uses. Header fields and most numbers
/// are in the machine's byte order; netfilter wants its numbers in network order (`be..`).
///
/// Owned by one thread at a time.
public final class NetlinkMessageWriter {
  /// The length of an attribute is a 16-bit number.
  public static final int MAX_ATTRIBUTE = 0xffff;

  private static final int MAX_SIZE = 1 << 30;

  private MemorySegment memory;
  private ByteBuffer buffer;
  private int lastMessage = -1;

  public NetlinkMessageWriter() {
    this(4096);
  }

  public NetlinkMessageWriter(int capacity) {
    memory = Arena.ofAuto().allocate(capacity, 8);
    buffer = memory.asByteBuffer().order(ByteOrder.nativeOrder());
  }

  /// How many bytes are written.
  public int size() {
    return buffer.position();
  }

  /// Forgets everything written; the memory stays.
  public void clear() {
    buffer.clear();
    lastMessage = -1;
  }

  /// What is written so far, for the length of the next change.
  MemorySegment memory() {
    return memory;
  }

  /// A copy of what is written.
  public byte[] toByteArray() {
    byte[] bytes = new byte[size()];
    buffer.get(0, bytes);
    return bytes;
  }

  /// Opens a message.
  public int begin(int type, int flags, int sequence) {
    ensure(NetlinkConstants.HEADER_LENGTH);
    int start = buffer.position();
    buffer.putInt(0).putShort((short) type).putShort((short) flags).putInt(sequence).putInt(0);
    lastMessage = start;
    return start;
  }

  /// Opens a message of a netfilter subsystem, with its four-byte header.
  public int beginNetfilter(
      int subsystem, int operation, int flags, int sequence, int family, int resource) {
    int start = begin((subsystem << 8) | operation, flags, sequence);
    ensure(4);
    buffer.put((byte) family).put((byte) 0);
    buffer.put((byte) (resource >> 8)).put((byte) resource);
    return start;
  }

  /// Closes a message.
  public void end(int start) {
    buffer.putInt(start, buffer.position() - start);
  }

  /// Asks the kernel to answer the message written last.
  void acknowledgeLast() {
    int at = lastMessage + 6;
    buffer.putShort(at, (short) (buffer.getShort(at) | NetlinkConstants.FLAG_ACK));
  }

  /// Raw bytes of a fixed header.
  public NetlinkMessageWriter putByte(int value) {
    ensure(1);
    buffer.put((byte) value);
    return this;
  }

  public NetlinkMessageWriter putShort(int value) {
    ensure(2);
    buffer.putShort((short) value);
    return this;
  }

  public NetlinkMessageWriter putInt(int value) {
    ensure(4);
    buffer.putInt(value);
    return this;
  }

  /// Opens an attribute that holds attributes.
  public int nest(int type) {
    return open(type | NetlinkConstants.NESTED);
  }

  /// Opens an attribute whose bytes follow.
  public int open(int type) {
    ensure(NetlinkConstants.ATTRIBUTE_HEADER_LENGTH);
    int start = buffer.position();
    buffer.putShort((short) 0).putShort((short) type);
    return start;
  }

  /// Closes an attribute and pads it to four bytes.
  public void close(int start) {
    int length = buffer.position() - start;
    if (length > MAX_ATTRIBUTE) {
      throw new IllegalArgumentException(
          "an attribute of " + length + " bytes; the most is " + MAX_ATTRIBUTE);
    }
    buffer.putShort(start, (short) length);
    pad();
  }

  public void u8(int type, int value) {
    int start = open(type);
    putByte(value);
    close(start);
  }

  public void u16(int type, int value) {
    int start = open(type);
    putShort(value);
    close(start);
  }

  public void u32(int type, int value) {
    int start = open(type);
    putInt(value);
    close(start);
  }

  public void be16(int type, int value) {
    int start = open(type);
    ensure(2);
    buffer.put((byte) (value >> 8)).put((byte) value);
    close(start);
  }

  public void be32(int type, int value) {
    int start = open(type);
    putInt(ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Integer.reverseBytes(value));
    close(start);
  }

  public void be64(int type, long value) {
    int start = open(type);
    ensure(8);
    buffer.putLong(
        ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value));
    close(start);
  }

  /// Text, ended by a zero byte.
  public void string(int type, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    int start = open(type);
    ensure(bytes.length + 1);
    buffer.put(bytes).put((byte) 0);
    close(start);
  }

  public void bytes(int type, byte[] value) {
    int start = open(type);
    put(value);
    close(start);
  }

  /// Bytes inside an open attribute.
  public void put(byte[] value) {
    ensure(value.length);
    buffer.put(value);
  }

  /// Zero bytes up to the next multiple of four.
  public void pad() {
    ensure(4);
    while (buffer.position() % 4 != 0) {
      buffer.put((byte) 0);
    }
  }

  private void ensure(int more) {
    if (buffer.remaining() < more) {
      grow(more);
    }
  }

  private void grow(int more) {
    long wanted = Math.max(buffer.capacity() * 2L, buffer.position() + (long) more);
    if (wanted > MAX_SIZE) {
      throw new IllegalStateException("more than " + MAX_SIZE + " bytes of messages at once");
    }
    MemorySegment larger = Arena.ofAuto().allocate(wanted, 8);
    int position = buffer.position();
    MemorySegment.copy(memory, 0, larger, 0, position);
    memory = larger;
    buffer = larger.asByteBuffer().order(ByteOrder.nativeOrder());
    buffer.position(position);
  }
}
