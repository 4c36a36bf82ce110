package io.fairlead.kernel.route;

import io.fairlead.kernel.netlink.Listener;
import io.fairlead.kernel.netlink.Messages;
import io.fairlead.kernel.netlink.Netlink;
import java.util.function.Consumer;

/// Something that happened to addresses, or to interfaces that had some.
public sealed interface AddressEvent {

  /// @param by the socket that asked for it, as [Network#port] tells; 0 for the kernel itself
  record Added(Address address, int by) implements AddressEvent {}

  record Removed(Address address, int by) implements AddressEvent {}

  record LinkRemoved(Link link, int by) implements AddressEvent {}

  /// Events were lost because they were not read in time.
  record Lost() implements AddressEvent {}

  /// Tells a receiver, on a thread of its own, what happens in the namespace of the calling thread.
  ///
  /// @param family [Network#IPV4] or [Network#IPV6]
  static Listener listen(int family, Consumer<AddressEvent> receiver) {
    // linux/rtnetlink.h: RTNLGRP_LINK, RTNLGRP_IPV4_IFADDR, RTNLGRP_IPV6_IFADDR
    int addresses = family == Network.IPV4 ? 5 : 9;
    return Listener.start(
        "address events",
        Netlink.ROUTE,
        new int[] {1, addresses},
        message -> event(message, receiver),
        () -> receiver.accept(new Lost()));
  }

  private static void event(Messages message, Consumer<AddressEvent> receiver) {
    switch (message.type()) {
      case Network.DELETE_LINK ->
          receiver.accept(new LinkRemoved(RouteReader.link(message), message.port()));
      case Network.NEW_ADDRESS, Network.DELETE_ADDRESS -> {
        Address address = RouteReader.address(message);
        if (address != null) {
          receiver.accept(
              message.type() == Network.NEW_ADDRESS
                  ? new Added(address, message.port())
                  : new Removed(address, message.port()));
        }
      }
      default -> {}
    }
  }
}
