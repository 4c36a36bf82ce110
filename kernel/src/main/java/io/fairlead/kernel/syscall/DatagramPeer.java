package io.fairlead.kernel.syscall;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Who sent a datagram, kept as the kernel wrote it, so that an answer finds the way back whatever
/// the address's family, scope or flow.
///
/// @param head family and port and what stands beside them
/// @param middle bytes 8 to 15
/// @param tail bytes 16 to 23
/// @param scope bytes 24 to 27
/// @param size how many bytes count
public record DatagramPeer(long head, long middle, long tail, int scope, int size) {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final int ADDRESS_V4 = 4;
  private static final int ADDRESS_V6 = 8;

  static DatagramPeer read(MemorySegment memory, long at, int size) {
    return new DatagramPeer(
        memory.get(LONG, at),
        memory.get(LONG, at + 8),
        memory.get(LONG, at + 16),
        memory.get(ValueLayout.JAVA_INT, at + 24),
        size);
  }

  void write(MemorySegment memory) {
    memory.set(LONG, 0, head);
    memory.set(LONG, 8, middle);
    memory.set(LONG, 16, tail);
    memory.set(ValueLayout.JAVA_INT, 24, scope);
  }

  /// Address and port; an IPv4 address inside an IPv6 one is an IPv4 address here.
  public InetSocketAddress address() {
    ByteBuffer bytes =
        ByteBuffer.allocate(24)
            .order(ByteOrder.nativeOrder())
            .putLong(head)
            .putLong(middle)
            .putLong(tail);
    boolean ipv4 = bytes.getShort(0) == NonBlockingSockets.AF_INET;
    int port = Short.toUnsignedInt(bytes.order(ByteOrder.BIG_ENDIAN).getShort(2));
    byte[] address = new byte[ipv4 ? 4 : 16];
    bytes.get(ipv4 ? ADDRESS_V4 : ADDRESS_V6, address);
    try {
      return new InetSocketAddress(InetAddress.getByAddress(address), port);
    } catch (UnknownHostException e) {
      throw new AssertionError("an address has 4 or 16 bytes", e);
    }
  }
}
