package io.fairlead.proxy.conntrack;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.netlink.Attributes;
import io.fairlead.kernel.netlink.MessageWriter;
import io.fairlead.kernel.netlink.Messages;
import io.fairlead.kernel.netlink.Netlink;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.netlink.NetlinkSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The kernel's table of connections, read and changed over netlink (`nfnetlink_conntrack.h`) in
/// the network namespace of the calling thread.
public final class KernelFlowTable implements FlowTable {
  private static final int GET = 1;
  private static final int DELETE = 2;
  private static final int NETFILTER_HEADER = 4;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;

  private static final int ORIGINAL = 1;
  private static final int REPLY = 2;
  private static final int ID = 12;
  private static final int ZONE = 18;

  private static final int TUPLE_ADDRESSES = 1;
  private static final int TUPLE_PROTOCOL = 2;
  private static final int SOURCE_4 = 1;
  private static final int DESTINATION_4 = 2;
  private static final int SOURCE_6 = 3;
  private static final int DESTINATION_6 = 4;
  private static final int PROTOCOL_NUMBER = 1;
  private static final int SOURCE_PORT = 2;
  private static final int DESTINATION_PORT = 3;
  private static final int UDP = 17;

  /// What is known of one direction.
  private record Tuple(
      @Nullable IpAddress source,
      @Nullable IpAddress destination,
      int sourcePort,
      int destinationPort,
      int protocol) {}

  /// How the kernel finds a conversation again: its first direction and its number.
  private record Handle(int family, Bytes original, Bytes id, Bytes zone) {}

  /// Bytes of an attribute, as they came.
  private record Bytes(List<Byte> all) {
    static Bytes of(byte[] bytes) {
      List<Byte> all = new ArrayList<>(bytes.length);
      for (byte each : bytes) {
        all.add(each);
      }
      return new Bytes(List.copyOf(all));
    }

    static Bytes none() {
      return new Bytes(List.of());
    }

    byte[] array() {
      byte[] bytes = new byte[all.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = all.get(i);
      }
      return bytes;
    }
  }

  @Override
  public List<UdpFlow> udpFlows(IpAddress.Family family) {
    List<UdpFlow> flows = new ArrayList<>();
    int number = family == IpAddress.Family.IPV4 ? AF_INET : AF_INET6;
    try (NetlinkSocket socket = NetlinkSocket.open(Netlink.NETFILTER)) {
      socket.dump(
          "connections",
          sequence -> {
            MessageWriter writer = socket.writer();
            int message =
                writer.beginNetfilter(
                    Netlink.SUBSYSTEM_CONNTRACK,
                    GET,
                    Netlink.FLAG_REQUEST | Netlink.FLAG_DUMP,
                    sequence,
                    number,
                    0);
            writer.end(message);
            return writer;
          },
          () -> {
            flows.clear();
            return messages -> {
              UdpFlow flow = read(messages, number);
              if (flow != null) {
                flows.add(flow);
              }
            };
          });
    }
    return flows;
  }

  /// Null when it is not UDP.
  private static @Nullable UdpFlow read(Messages messages, int family) {
    Tuple original = null;
    Tuple reply = null;
    Bytes raw = Bytes.none();
    Bytes id = Bytes.none();
    Bytes zone = Bytes.none();
    Attributes attributes = messages.attributes(NETFILTER_HEADER);
    while (attributes.next()) {
      switch (attributes.type()) {
        case ORIGINAL -> {
          raw = Bytes.of(attributes.bytes());
          original = tuple(attributes.nested());
        }
        case REPLY -> reply = tuple(attributes.nested());
        case ID -> id = Bytes.of(attributes.bytes());
        case ZONE -> zone = Bytes.of(attributes.bytes());
        default -> {}
      }
    }
    if (original == null || reply == null || original.protocol != UDP) {
      return null;
    }
    IpAddress to = original.destination;
    IpAddress from = reply.source;
    return to == null || from == null
        ? null
        : new UdpFlow(
            new Socket(to, original.destinationPort),
            new Socket(from, reply.sourcePort),
            new Handle(family, raw, id, zone));
  }

  private static Tuple tuple(Attributes attributes) {
    IpAddress source = null;
    IpAddress destination = null;
    int sourcePort = 0;
    int destinationPort = 0;
    int protocol = 0;
    while (attributes.next()) {
      Attributes inner = attributes.nested();
      boolean addresses = attributes.type() == TUPLE_ADDRESSES;
      boolean ports = attributes.type() == TUPLE_PROTOCOL;
      while ((addresses || ports) && inner.next()) {
        if (addresses) {
          switch (inner.type()) {
            case SOURCE_4, SOURCE_6 -> source = IpAddress.ofBytes(inner.bytes());
            case DESTINATION_4, DESTINATION_6 -> destination = IpAddress.ofBytes(inner.bytes());
            default -> {}
          }
        } else {
          switch (inner.type()) {
            case PROTOCOL_NUMBER -> protocol = inner.u8();
            case SOURCE_PORT -> sourcePort = inner.be16();
            case DESTINATION_PORT -> destinationPort = inner.be16();
            default -> {}
          }
        }
      }
    }
    return new Tuple(source, destination, sourcePort, destinationPort, protocol);
  }

  @Override
  public boolean forget(UdpFlow flow) {
    if (!(flow.handle() instanceof Handle handle)) {
      return false;
    }
    try (NetlinkSocket socket = NetlinkSocket.open(Netlink.NETFILTER)) {
      socket.request(
          "connection to " + flow.destination(),
          sequence -> {
            MessageWriter writer = socket.writer();
            int message =
                writer.beginNetfilter(
                    Netlink.SUBSYSTEM_CONNTRACK,
                    DELETE,
                    Netlink.FLAG_REQUEST | Netlink.FLAG_ACK,
                    sequence,
                    handle.family,
                    0);
            int original = writer.nest(ORIGINAL);
            writer.put(handle.original.array());
            writer.close(original);
            if (!handle.id.all.isEmpty()) {
              writer.bytes(ID, handle.id.array());
            }
            if (!handle.zone.all.isEmpty()) {
              writer.bytes(ZONE, handle.zone.array());
            }
            writer.end(message);
            return writer;
          });
      return true;
    } catch (NetlinkException e) {
      if (e.isNotFound()) {
        return false;
      }
      throw e;
    }
  }
}
