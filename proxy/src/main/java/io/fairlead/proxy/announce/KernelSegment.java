package io.fairlead.proxy.announce;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.packet.ArpFrame;
import io.fairlead.kernel.packet.NeighbourFrame;
import io.fairlead.kernel.packet.PacketListener;
import io.fairlead.kernel.packet.PacketSocket;
import io.fairlead.kernel.route.EthernetLink;
import io.fairlead.kernel.route.InterfaceIpAddress;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MulticastSocket;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The networks of this machine: its interfaces by netlink, their frames by packet sockets. Opened
/// in the network namespace of the calling thread.
final class KernelSegment implements NetworkSegment {
  private static final Logger log = LoggerFactory.getLogger(KernelSegment.class);

  /// The interface on which the ipvs mode keeps the addresses of Services.
  private static final String IPVS_LINK = "kube-ipvs0";

  private final boolean promiscuous;

  /// @param promiscuous whether cards hand up all frames: some access points send a broadcast to
  ///   each station by itself
  KernelSegment(boolean promiscuous) {
    this.promiscuous = promiscuous;
  }

  @Override
  public List<AnnounceInterface> interfaces() {
    try (Rtnetlink network = Rtnetlink.open()) {
      Map<Integer, List<Cidr>> networks = new HashMap<>();
      for (int family : List.of(Rtnetlink.IPV4, Rtnetlink.IPV6)) {
        for (InterfaceIpAddress each : network.addresses(family)) {
          networks.computeIfAbsent(each.link(), _ -> new ArrayList<>()).add(cidr(each));
        }
      }
      List<AnnounceInterface> usable = new ArrayList<>();
      for (EthernetLink link : network.ethernetLinks()) {
        List<Cidr> all = networks.getOrDefault(link.link().index(), List.of());
        if (link.resolvesNeighbours() && all.stream().anyMatch(KernelSegment::hasNeighbours)) {
          usable.add(
              new AnnounceInterface(
                  link.link().index(),
                  link.link().name(),
                  link.hardware(),
                  all.stream().filter(one -> !one.address().isLinkLocalUnicast()).toList(),
                  all.stream()
                      .map(Cidr::address)
                      .filter(one -> one.isIpv6() && one.isLinkLocalUnicast())
                      .findFirst()
                      .orElse(null)));
        }
      }
      return usable;
    }
  }

  /// The cable of a pod has an address alone: no network, so no neighbours that would ask there.
  private static boolean hasNeighbours(Cidr network) {
    return network.prefixLength() < network.family().bits()
        && !network.address().isLinkLocalUnicast();
  }

  @Override
  public Set<IpAddress> ownAddresses() {
    Set<IpAddress> own = new HashSet<>();
    try (Rtnetlink network = Rtnetlink.open()) {
      int ipvs = network.link(IPVS_LINK).map(link -> link.index()).orElse(-1);
      for (int family : List.of(Rtnetlink.IPV4, Rtnetlink.IPV6)) {
        network.addresses(family).stream()
            .filter(each -> each.link() != ipvs)
            .forEach(each -> own.add(cidr(each).address()));
      }
    }
    return own;
  }

  private static Cidr cidr(InterfaceIpAddress each) {
    return new Cidr(
        IpAddress.ofBytes(each.prefix().address().getAddress()), each.prefix().length());
  }

  @Override
  public LinkPort open(AnnounceInterface on, FrameReceiver receiver) {
    PacketSocket arp = PacketSocket.arp(on.index());
    try {
      if (promiscuous) {
        arp.hearAll(on.index());
      }
      PacketSocket neighbours = PacketSocket.neighbourDiscovery(on.index());
      try {
        return new Port(on, arp, neighbours, receiver);
      } catch (RuntimeException e) {
        neighbours.close();
        throw e;
      }
    } catch (RuntimeException e) {
      arp.close();
      throw e;
    }
  }

  /// An interface, its two sockets and the loops that read them.
  private static final class Port implements LinkPort {
    private final AnnounceInterface on;
    private final PacketSocket arp;
    private final PacketSocket neighbours;
    private final List<PacketListener> listeners = new ArrayList<>();
    private final MulticastSocket groups;
    private final NetworkInterface link;
    // Owned by the announcer's thread.
    private Set<IpAddress> joined = Set.of();

    Port(AnnounceInterface on, PacketSocket arp, PacketSocket neighbours, FrameReceiver receiver) {
      this.on = on;
      this.arp = arp;
      this.neighbours = neighbours;
      try {
        this.link = NetworkInterface.getByIndex(on.index());
        this.groups = new MulticastSocket(null);
      } catch (IOException e) {
        throw new IllegalStateException("no socket for multicast groups on " + on.name(), e);
      }
      listeners.add(
          PacketListener.start(
              "arp " + on.name(),
              arp,
              bytes -> {
                ArpFrame frame = ArpFrame.read(bytes);
                if (frame != null) {
                  receiver.heard(frame);
                }
              }));
      listeners.add(
          PacketListener.start(
              "nd " + on.name(),
              neighbours,
              bytes -> {
                NeighbourFrame frame = NeighbourFrame.read(bytes);
                if (frame != null) {
                  receiver.heard(frame);
                }
              }));
    }

    @Override
    public void send(ArpFrame frame) {
      send(arp, frame::write);
    }

    @Override
    public void send(NeighbourFrame frame) {
      send(neighbours, frame::write);
    }

    private void send(PacketSocket socket, Consumer<ByteBuffer> write) {
      ByteBuffer bytes = ByteBuffer.allocate(NeighbourFrame.LENGTH);
      write.accept(bytes);
      try {
        socket.send(bytes);
      } catch (SystemCallException e) {
        // The interface went down: the next look at all interfaces closes this.
        log.atDebug()
            .addKeyValue("interface", on.name())
            .addKeyValue("why", e.getMessage())
            .log("a frame was not sent");
      }
    }

    @Override
    public void listenFor(Set<IpAddress> addresses) {
      Set<IpAddress> wanted = new TreeSet<>();
      for (IpAddress address : addresses) {
        if (address.isIpv6()) {
          wanted.add(group(address));
        }
      }
      if (wanted.equals(joined)) {
        return;
      }
      for (IpAddress group : wanted) {
        if (!joined.contains(group)) {
          change(group, true);
        }
      }
      for (IpAddress group : joined) {
        if (!wanted.contains(group)) {
          change(group, false);
        }
      }
      joined = wanted;
    }

    /// `ff02::1:ffXX:XXXX` (RFC 4291 2.7.1).
    private static IpAddress group(IpAddress address) {
      return IpAddress.ipv6(0xff02_0000_0000_0000L, 0x1_ff00_0000L | (address.low() & 0xff_ffffL));
    }

    private void change(IpAddress group, boolean join) {
      try {
        InetSocketAddress where =
            new InetSocketAddress(InetAddress.getByAddress(group.toBytes()), 0);
        if (join) {
          groups.joinGroup(where, link);
        } else {
          groups.leaveGroup(where, link);
        }
      } catch (UnknownHostException e) {
        throw new IllegalStateException(e);
      } catch (IOException e) {
        log.atDebug()
            .addKeyValue("interface", on.name())
            .addKeyValue("group", group)
            .addKeyValue("why", e.getMessage())
            .log("a multicast group was not changed");
      }
    }

    @Override
    public void close() {
      listeners.forEach(PacketListener::close);
      groups.close();
    }
  }
}
