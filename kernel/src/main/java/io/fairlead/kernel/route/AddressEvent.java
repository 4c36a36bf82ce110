package io.fairlead.kernel.route;

import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkListener;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import java.util.function.Consumer;

/// Something that happened to addresses, or to interfaces that had some.
public sealed interface AddressEvent {

  /// @param by the socket that asked for it, as [Rtnetlink#port] says; 0 for the kernel itself
  record Added(InterfaceIpAddress address, int by) implements AddressEvent {}

  record Removed(InterfaceIpAddress address, int by) implements AddressEvent {}

  record LinkRemoved(Link link, int by) implements AddressEvent {}

  /// Events were lost because they were not read in time.
  record Lost() implements AddressEvent {}

  /// Reports to a receiver, in a loop of its own, what happens in the namespace of the calling
  /// thread.
  ///
  /// @param family [Rtnetlink#IPV4] or [Rtnetlink#IPV6]
  static NetlinkListener listen(int family, Consumer<AddressEvent> receiver) {
    // linux/rtnetlink.h: RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR
    int addresses = family == Rtnetlink.IPV4 ? 5 : 9;
    return NetlinkListener.start(
        "address events",
        NetlinkConstants.ROUTE,
        new int[] {1, addresses},
        message -> event(message, receiver),
        () -> receiver.accept(new Lost()));
  }

  private static void event(NetlinkMessageReader message, Consumer<AddressEvent> receiver) {
    switch (message.type()) {
      case Rtnetlink.DELETE_LINK ->
          receiver.accept(new LinkRemoved(RouteReader.link(message), message.port()));
      case Rtnetlink.NEW_ADDRESS, Rtnetlink.DELETE_ADDRESS -> {
        InterfaceIpAddress address = RouteReader.address(message);
        if (address != null) {
          receiver.accept(
              message.type() == Rtnetlink.NEW_ADDRESS
                  ? new Added(address, message.port())
                  : new Removed(address, message.port()));
        }
      }
      default -> {}
    }
  }
}
