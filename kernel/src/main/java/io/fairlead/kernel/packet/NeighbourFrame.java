package io.fairlead.kernel.packet;

import io.fairlead.kernel.route.HardwareAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A neighbour solicitation or advertisement of IPv6 with its Ethernet and IPv6 headers (RFC 4861).
///
/// @param destination whom the frame is for
/// @param source who sent it
/// @param type [#SOLICITATION] or [#ADVERTISEMENT]
/// @param flags of an advertisement: [#SOLICITED], [#OVERRIDE]
/// @param target the address that is asked for or told of
/// @param linkLayer the hardware address in its option; null when it has none
public record NeighbourFrame(
    HardwareAddress destination,
    HardwareAddress source,
    Ipv6Bits from,
    Ipv6Bits to,
    int type,
    int flags,
    Ipv6Bits target,
    @Nullable HardwareAddress linkLayer) {
  public static final int SOLICITATION = 135;
  public static final int ADVERTISEMENT = 136;
  public static final int SOLICITED = 0x4000_0000;
  public static final int OVERRIDE = 0x2000_0000;

  /// With an option.
  public static final int LENGTH = 86;

  /// `ETH_P_IPV6`, linux/if_ether.h.
  static final int PROTOCOL = 0x86dd;

  private static final int WITHOUT_OPTION = 78;
  private static final int HEADERS = 54; // Ethernet and IPv6
  private static final int ICMP = 58;
  private static final int HOP_LIMIT = 255; // less: it came through a router, so from no neighbour
  private static final int SOURCE_OPTION = 1;
  private static final int TARGET_OPTION = 2;

  /// An address of IPv6.
  public record Ipv6Bits(long high, long low) {
    public static final Ipv6Bits UNSPECIFIED = new Ipv6Bits(0, 0);

    /// `ff02::1`.
    public static final Ipv6Bits ALL_NODES = new Ipv6Bits(0xff02_0000_0000_0000L, 1);

    public boolean isMulticast() {
      return high >>> 56 == 0xff;
    }

    /// The group that those listen to who have this address: `ff02::1:ffXX:XXXX`.
    public Ipv6Bits solicitedNode() {
      return new Ipv6Bits(0xff02_0000_0000_0000L, 0x1_ff00_0000L | (low & 0xff_ffff));
    }

    HardwareAddress multicastHardware() {
      return new HardwareAddress(0x3333_0000_0000L | (low & 0xffff_ffffL));
    }
  }

  /// Reads a frame between position and limit. Null for anything else, and for what RFC 4861 7.1
  /// says to drop: another hop limit, code or checksum, a multicast target.
  public static @Nullable NeighbourFrame read(ByteBuffer frame) {
    int at = frame.position();
    if (frame.remaining() < WITHOUT_OPTION
        || Short.toUnsignedInt(frame.getShort(at + 12)) != PROTOCOL
        || frame.get(at + 14) >>> 4 != 6
        || Byte.toUnsignedInt(frame.get(at + 20)) != ICMP
        || Byte.toUnsignedInt(frame.get(at + 21)) != HOP_LIMIT
        || frame.get(at + 55) != 0) {
      return null;
    }
    int length = Short.toUnsignedInt(frame.getShort(at + 18));
    int type = Byte.toUnsignedInt(frame.get(at + 54));
    Ipv6Bits target = bits(frame, at + 62);
    if ((type != SOLICITATION && type != ADVERTISEMENT)
        || length < WITHOUT_OPTION - HEADERS
        || frame.remaining() < HEADERS + length
        || target.isMulticast()
        || checksum(frame, at, length) != 0) {
      return null;
    }
    return new NeighbourFrame(
        ArpFrame.hardware(frame, at),
        ArpFrame.hardware(frame, at + 6),
        bits(frame, at + 22),
        bits(frame, at + 38),
        type,
        frame.getInt(at + 58),
        target,
        option(frame, at + WITHOUT_OPTION, at + HEADERS + length));
  }

  private static @Nullable HardwareAddress option(ByteBuffer frame, int begin, int end) {
    int at = begin;
    while (at + 8 <= end) {
      int kind = Byte.toUnsignedInt(frame.get(at));
      int size = Byte.toUnsignedInt(frame.get(at + 1)) * 8;
      if (size == 0) {
        return null;
      }
      if (size == 8 && (kind == SOURCE_OPTION || kind == TARGET_OPTION)) {
        return ArpFrame.hardware(frame, at + 2);
      }
      at += size;
    }
    return null;
  }

  /// Writes the frame at the buffer's position and moves it behind.
  public void write(ByteBuffer frame) {
    int at = frame.position();
    HardwareAddress option = linkLayer;
    int length = (option == null ? WITHOUT_OPTION : LENGTH) - HEADERS;
    ArpFrame.put(frame, destination);
    ArpFrame.put(frame, source);
    frame.putShort((short) PROTOCOL).putInt(0x6000_0000).putShort((short) length);
    frame.put((byte) ICMP).put((byte) HOP_LIMIT);
    put(frame, from);
    put(frame, to);
    frame.put((byte) type).putShort((short) 0).put((byte) 0);
    frame.putInt(flags);
    put(frame, target);
    if (option != null) {
      frame.put((byte) (type == ADVERTISEMENT ? TARGET_OPTION : SOURCE_OPTION)).put((byte) 1);
      ArpFrame.put(frame, option);
    }
    frame.putShort(at + 56, (short) checksum(frame, at, length));
  }

  /// The answer to a solicitation: the address is at this hardware address. One who has no address
  /// yet is answered through all.
  ///
  /// @param linkLocal our own address on the link
  public NeighbourFrame answeredBy(HardwareAddress own, Ipv6Bits linkLocal) {
    return from.equals(Ipv6Bits.UNSPECIFIED)
        ? announcement(own, linkLocal, target)
        : new NeighbourFrame(
            source, own, linkLocal, from, ADVERTISEMENT, SOLICITED | OVERRIDE, target, own);
  }

  /// Tells all neighbours that an address is here now.
  public static NeighbourFrame announcement(
      HardwareAddress own, Ipv6Bits linkLocal, Ipv6Bits address) {
    return new NeighbourFrame(
        Ipv6Bits.ALL_NODES.multicastHardware(),
        own,
        linkLocal,
        Ipv6Bits.ALL_NODES,
        ADVERTISEMENT,
        OVERRIDE,
        address,
        own);
  }

  /// Asks who has an address without claiming one.
  public static NeighbourFrame probe(HardwareAddress own, Ipv6Bits address) {
    Ipv6Bits group = address.solicitedNode();
    return new NeighbourFrame(
        group.multicastHardware(),
        own,
        Ipv6Bits.UNSPECIFIED,
        group,
        SOLICITATION,
        0,
        address,
        null);
  }

  /// Of the ICMP message and the pseudo header (RFC 8200 8.1); 0 over one that is right.
  private static int checksum(ByteBuffer frame, int at, int length) {
    long sum = length + ICMP;
    for (int i = at + 22; i + 1 < at + HEADERS + length; i += 2) {
      sum += Short.toUnsignedInt(frame.getShort(i));
    }
    if (length % 2 == 1) {
      sum += Byte.toUnsignedInt(frame.get(at + HEADERS + length - 1)) << 8;
    }
    while (sum >>> 16 != 0) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return (int) (~sum & 0xffff);
  }

  private static Ipv6Bits bits(ByteBuffer frame, int at) {
    return new Ipv6Bits(frame.getLong(at), frame.getLong(at + 8));
  }

  private static void put(ByteBuffer frame, Ipv6Bits address) {
    frame.putLong(address.high()).putLong(address.low());
  }
}
