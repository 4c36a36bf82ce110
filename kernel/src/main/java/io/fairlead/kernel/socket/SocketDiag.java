package io.fairlead.kernel.socket;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.netlink.NetlinkSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Lists the sockets of one network namespace: that of the thread that opens it. Used by one thread
/// at a time.
///
/// How it works: `linux/inet_diag.h`. A dump is asked for one family and protocol with a bitmap of
/// TCP states. A UDP socket without a peer is in the state that TCP calls closed. For one that
/// listens the receive queue counts connections that wait for `accept`, and the send queue is how
/// many may.
public final class SocketDiag implements AutoCloseable {
  private static final int PROTOCOL = 4;
  private static final int BY_FAMILY = 20;
  private static final int AF_INET = 2;
  private static final int AF_INET6 = 10;
  private static final int LISTENING = 1 << 10;
  private static final int UNCONNECTED = 1 << 7;
  private static final int REQUEST_IDENTITY = 48;
  private static final int HEADER = 72;
  private static final int SHOW_V6ONLY = 11;
  private static final int ADDRESS_AT = 8;

  private final NetlinkSocket socket;

  private SocketDiag(NetlinkSocket socket) {
    this.socket = socket;
  }

  /// @throws io.fairlead.kernel.syscall.SystemCallException when the kernel has no `sock_diag`
  public static SocketDiag open() {
    return new SocketDiag(NetlinkSocket.open(PROTOCOL));
  }

  /// Sockets of TCP that listen and sockets of UDP without a peer, of both families.
  public List<ListeningSocket> listeners() {
    List<ListeningSocket> all = new ArrayList<>();
    for (int family : new int[] {AF_INET, AF_INET6}) {
      all.addAll(listeners(family, ListeningSocket.TCP, LISTENING));
      all.addAll(listeners(family, ListeningSocket.UDP, UNCONNECTED));
    }
    return all;
  }

  private List<ListeningSocket> listeners(int family, int protocol, int states) {
    return socket.list(
        "listening sockets",
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          request(out, sequence, family, protocol, states);
          return out;
        },
        (message, found) -> found.add(read(message, protocol)));
  }

  /// `struct inet_diag_req_v2`.
  static void request(
      NetlinkMessageWriter out, int sequence, int family, int protocol, int states) {
    int start =
        out.begin(BY_FAMILY, NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_DUMP, sequence);
    out.putByte(family).putByte(protocol).putByte(0).putByte(0).putInt(states);
    out.put(new byte[REQUEST_IDENTITY]);
    out.end(start);
  }

  /// `struct inet_diag_msg`.
  static ListeningSocket read(NetlinkMessageReader message, int protocol) {
    int family = message.headerByte(0);
    byte[] address = new byte[family == AF_INET ? 4 : 16];
    for (int i = 0; i < address.length; i++) {
      address[i] = (byte) message.headerByte(ADDRESS_AT + i);
    }
    boolean onlyIpv6 = false;
    NetlinkAttributeReader attributes = message.attributes(HEADER);
    while (attributes.next()) {
      if (attributes.type() == SHOW_V6ONLY) {
        onlyIpv6 = attributes.u8() != 0;
      }
    }
    boolean tcp = protocol == ListeningSocket.TCP;
    return new ListeningSocket(
        protocol,
        inet(address),
        (message.headerByte(4) << 8) | message.headerByte(5),
        onlyIpv6,
        message.headerInt(56),
        tcp ? message.headerInt(60) : 0,
        Integer.toUnsignedLong(message.headerInt(68)));
  }

  /// An IPv4 address that a socket of IPv6 is bound to becomes what it is.
  private static InetAddress inet(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new MalformedMessageException("an address of " + Arrays.toString(bytes));
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
