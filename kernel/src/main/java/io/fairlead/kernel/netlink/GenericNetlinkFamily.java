package io.fairlead.kernel.netlink;

import java.util.concurrent.atomic.AtomicInteger;

/// A part of the kernel that speaks *generic netlink*: it has a name, and a number that is given
/// when it is loaded and must be asked for.
///
/// @param number what messages to it carry as their type
public record GenericNetlinkFamily(String name, int number, int version) {
  /// The header after netlink's own: command, version, two bytes of nothing.
  public static final int HEADER_LENGTH = 4;

  // linux/genetlink.h
  private static final int CONTROLLER = 0x10;
  private static final int GET_FAMILY = 3;
  private static final int FAMILY_ID = 1;
  private static final int FAMILY_NAME = 2;

  /// Asks for the number of a family.
  ///
  /// @throws NetlinkException that says not found when the kernel has none of that name
  public static GenericNetlinkFamily resolve(NetlinkSocket socket, String name, int version) {
    AtomicInteger number = new AtomicInteger();
    socket.ask(
        "generic netlink family " + name,
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start =
              out.begin(
                  CONTROLLER, NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_ACK, sequence);
          out.putByte(GET_FAMILY).putByte(1).putShort(0);
          out.string(FAMILY_NAME, name);
          out.end(start);
          return out;
        },
        message -> {
          NetlinkAttributeReader attributes = message.attributes(HEADER_LENGTH);
          while (attributes.next()) {
            if (attributes.type() == FAMILY_ID) {
              number.set(attributes.u16());
            }
          }
        });
    return new GenericNetlinkFamily(name, number.get(), version);
  }

  /// Opens a message to the family.
  public int begin(NetlinkMessageWriter out, int command, int flags, int sequence) {
    int start = out.begin(number, NetlinkConstants.FLAG_REQUEST | flags, sequence);
    out.putByte(command).putByte(version).putShort(0);
    return start;
  }
}
