package io.fairlead.proxy.announce;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.packet.ArpFrame;
import io.fairlead.kernel.packet.NeighbourFrame;
import java.util.List;
import java.util.Set;

/// The networks that this node is on, as an announcer sees them.
interface NetworkSegment {
  /// Those that can be used now.
  List<AnnounceInterface> interfaces();

  /// All addresses that interfaces of this machine have.
  Set<IpAddress> ownAddresses();

  /// Begins to hear and to send on an interface.
  LinkPort open(AnnounceInterface on, FrameReceiver receiver);

  /// Gets what neighbours send. Calls come from the port's own threads.
  interface FrameReceiver {
    void heard(ArpFrame frame);

    void heard(NeighbourFrame frame);
  }

  /// One interface, open. Any thread may send; what cannot be sent is logged, not thrown.
  interface LinkPort extends AutoCloseable {
    void send(ArpFrame frame);

    void send(NeighbourFrame frame);

    /// Has the network bring solicitations for these addresses of IPv6 here, and no others.
    void listenFor(Set<IpAddress> addresses);

    @Override
    void close();
  }
}
