package io.fairlead.kernel.packet;

import io.fairlead.kernel.route.HardwareAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// An ARP message for IPv4 over Ethernet with its Ethernet header (RFC 826, RFC 5227).
///
/// @param destination whom the frame is for
/// @param source who sent it
/// @param operation [#REQUEST] or [#REPLY]
/// @param senderAddress 0 in a probe, which asks without claiming anything
/// @param targetAddress the one that is asked for
public record ArpFrame(
    HardwareAddress destination,
    HardwareAddress source,
    int operation,
    HardwareAddress senderHardware,
    int senderAddress,
    HardwareAddress targetHardware,
    int targetAddress) {
  public static final int LENGTH = 42;
  public static final int REQUEST = 1;
  public static final int REPLY = 2;

  /// `ETH_P_ARP`, linux/if_ether.h.
  static final int PROTOCOL = 0x0806;

  private static final HardwareAddress NONE = new HardwareAddress(0);
  private static final long FIXED = 0x0001_0800_0604_0000L; // Ethernet, IPv4, their lengths

  /// Reads a frame between position and limit; longer ones are padded. Null for anything else than
  /// an ARP message for IPv4 over Ethernet.
  public static @Nullable ArpFrame read(ByteBuffer frame) {
    int at = frame.position();
    if (frame.remaining() < LENGTH
        || Short.toUnsignedInt(frame.getShort(at + 12)) != PROTOCOL
        || (frame.getLong(at + 14) & ~0xffffL) != FIXED) {
      return null;
    }
    return new ArpFrame(
        hardware(frame, at),
        hardware(frame, at + 6),
        Short.toUnsignedInt(frame.getShort(at + 20)),
        hardware(frame, at + 22),
        frame.getInt(at + 28),
        hardware(frame, at + 32),
        frame.getInt(at + 38));
  }

  /// Writes the frame at the buffer's position and moves it behind.
  public void write(ByteBuffer frame) {
    put(frame, destination);
    put(frame, source);
    frame.putShort((short) PROTOCOL);
    frame.putLong(FIXED | operation);
    put(frame, senderHardware);
    frame.putInt(senderAddress);
    put(frame, targetHardware);
    frame.putInt(targetAddress);
  }

  /// Whether it claims the address it is about for its sender, unasked.
  public boolean isGratuitous() {
    return senderAddress == targetAddress && senderAddress != 0;
  }

  /// The answer to a request: the address asked for is at this hardware address.
  public ArpFrame answeredBy(HardwareAddress own) {
    return new ArpFrame(
        senderHardware, own, REPLY, own, targetAddress, senderHardware, senderAddress);
  }

  /// Tells all neighbours that an address is here now. Some devices believe a request, some a
  /// reply.
  public static ArpFrame announcement(HardwareAddress own, int address, int operation) {
    return new ArpFrame(
        HardwareAddress.BROADCAST,
        own,
        operation,
        own,
        address,
        operation == REPLY ? HardwareAddress.BROADCAST : NONE,
        address);
  }

  /// Asks who has an address without claiming one.
  public static ArpFrame probe(HardwareAddress own, int address) {
    return new ArpFrame(HardwareAddress.BROADCAST, own, REQUEST, own, 0, NONE, address);
  }

  static HardwareAddress hardware(ByteBuffer frame, int at) {
    return new HardwareAddress(
        Short.toUnsignedLong(frame.getShort(at)) << 32
            | Integer.toUnsignedLong(frame.getInt(at + 2)));
  }

  static void put(ByteBuffer frame, HardwareAddress address) {
    frame.putShort((short) (address.bits() >>> 32)).putInt((int) address.bits());
  }
}
