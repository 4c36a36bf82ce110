package io.fairlead.kernel.syscall;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// An address and a port as the kernel reads and writes them: a `struct sockaddr_in` or
/// `sockaddr_in6` that can be filled again and again. Owned by the thread that made it.
///
/// An IPv4 address is the low half of `low` here, an IPv6 address is `high` and `low`.
public final class NativeSocketAddress {
  private static final int SIZE_V4 = 16;
  private static final int SIZE_V6 = 28;
  private static final int PORT = 2;
  private static final int ADDRESS_V4 = 4;
  private static final int ADDRESS_V6 = 8;
  private static final long LOW_HALF = 0xffff_ffffL;
  private static final long MAPPED = 0xffff_0000_0000L;
  private static final ValueLayout.OfShort BE16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfInt BE32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong BE64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final MemorySegment segment;
  private final long memory;

  NativeSocketAddress(Arena arena) {
    this.segment = arena.allocate(SIZE_V6, Long.BYTES);
    this.memory = segment.address();
  }

  long memory() {
    return memory;
  }

  int length() {
    return isIpv4() ? SIZE_V4 : SIZE_V6;
  }

  public boolean isIpv4() {
    return segment.get(ValueLayout.JAVA_SHORT, 0) == NonBlockingSockets.AF_INET;
  }

  public NativeSocketAddress set(boolean ipv4, long high, long low, int port) {
    segment.fill((byte) 0);
    segment.set(
        ValueLayout.JAVA_SHORT,
        0,
        (short) (ipv4 ? NonBlockingSockets.AF_INET : NonBlockingSockets.AF_INET6));
    segment.set(BE16, PORT, (short) port);
    if (ipv4) {
      segment.set(BE32, ADDRESS_V4, (int) low);
    } else {
      segment.set(BE64, ADDRESS_V6, high);
      segment.set(BE64, ADDRESS_V6 + Long.BYTES, low);
    }
    return this;
  }

  public int port() {
    return Short.toUnsignedInt(segment.get(BE16, PORT));
  }

  /// The upper half of an IPv6 address, 0 for IPv4.
  public long high() {
    return isIpv4() ? 0 : segment.get(BE64, ADDRESS_V6);
  }

  /// Whether it is this address; an IPv4 address may be written as an IPv6 one, `::ffff:192.0.2.1`.
  public boolean isAt(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    if (bytes.capacity() == Long.BYTES * 2) {
      return !isIpv4() && high() == bytes.getLong(0) && low() == bytes.getLong(Long.BYTES);
    }
    long wanted = bytes.getInt(0) & LOW_HALF;
    return isIpv4() ? low() == wanted : high() == 0 && low() == (MAPPED | wanted);
  }

  /// The lower half of an IPv6 address, or the IPv4 address.
  public long low() {
    return isIpv4()
        ? segment.get(BE32, ADDRESS_V4) & LOW_HALF
        : segment.get(BE64, ADDRESS_V6 + Long.BYTES);
  }
}
