package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.FileCalls;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.work.SupervisedLoop;
import java.util.function.Consumer;

/// Receives the packets that rules log to a group, in the network namespace of the thread that
/// opened it. A receiver that is slower than the kernel loses packets and is told so; nothing ever
/// waits for it.
///
/// How it works: `linux/netfilter/nfnetlink_log.h`. The socket binds itself to the group by a
/// message and asks for the first bytes of each packet; packets then come unasked.
public final class PacketLogListener implements AutoCloseable {
  private static final int SUBSYSTEM = 4;
  private static final int PACKET = 0;
  private static final int CONFIG = 1;
  private static final int CONFIG_COMMAND = 1;
  private static final int CONFIG_MODE = 2;
  private static final int BIND = 1;
  private static final int COPY_PACKET = 2;
  private static final int PAYLOAD = 9;
  private static final int PREFIX = 10;
  private static final int HEADER = 4;

  private final NetlinkSocket socket;
  private final NativeFileDescriptor stop;
  private final Consumer<LoggedPacket> each;
  private final Runnable lost;
  private final SupervisedLoop loop;

  private PacketLogListener(
      NetlinkSocket socket, int group, Consumer<LoggedPacket> each, Runnable lost) {
    this.socket = socket;
    this.stop = FileCalls.event("end of packet log " + group);
    this.each = each;
    this.lost = lost;
    this.loop =
        SupervisedLoop.of("packet-log")
            .key(group)
            .platform()
            .stopBy(() -> FileCalls.signal(stop))
            .build(this::receive);
  }

  /// @param bytes how much of each packet is wanted
  /// @param each gets one packet at a time, on a thread of its own
  /// @param lost runs when packets were dropped because they were not read in time
  /// @throws io.fairlead.kernel.syscall.SystemCallException when another process has the group
  public static PacketLogListener start(
      int group, int bytes, Consumer<LoggedPacket> each, Runnable lost) {
    NetlinkSocket socket = NetlinkSocket.open(NetlinkConstants.NETFILTER);
    try {
      configure(
          socket,
          group,
          out -> {
            int attribute = out.open(CONFIG_COMMAND);
            out.putByte(BIND);
            out.close(attribute);
          });
      configure(
          socket,
          group,
          out -> {
            int attribute = out.open(CONFIG_MODE);
            for (int shift = 24; shift >= 0; shift -= 8) {
              out.putByte(bytes >> shift);
            }
            out.putByte(COPY_PACKET).putByte(0);
            out.close(attribute);
          });
    } catch (SystemCallException e) {
      socket.close();
      throw e;
    }
    PacketLogListener listener = new PacketLogListener(socket, group, each, lost);
    listener.loop.start();
    return listener;
  }

  private static void configure(
      NetlinkSocket socket, int group, Consumer<NetlinkMessageWriter> attributes) {
    socket.request(
        "packet log group " + group,
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start =
              out.beginNetfilter(
                  SUBSYSTEM,
                  CONFIG,
                  NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_ACK,
                  sequence,
                  0,
                  group);
          attributes.accept(out);
          out.end(start);
          return out;
        });
  }

  private void receive() {
    NetlinkMessageReader messages;
    try {
      messages = socket.receive(false);
    } catch (SystemCallException e) {
      if (e.errno().equals(Errno.ENOBUFS)) {
        lost.run();
        return;
      }
      throw e;
    }
    if (messages == null) {
      FileCalls.awaitReadable(socket.descriptor(), stop, -1);
      return;
    }
    while (messages.next()) {
      if (messages.subsystem() == SUBSYSTEM && messages.operation() == PACKET) {
        packet(messages.attributes(HEADER));
      }
    }
  }

  private void packet(NetlinkAttributeReader attributes) {
    String prefix = "";
    byte[] payload = new byte[0];
    while (attributes.next()) {
      switch (attributes.type()) {
        case PREFIX -> prefix = attributes.string();
        case PAYLOAD -> payload = attributes.bytes();
        default -> {}
      }
    }
    LoggedPacket packet;
    try {
      packet = LoggedPacket.of(prefix, payload);
    } catch (MalformedMessageException _) {
      // Something a foreign rule logs to the same group.
      return;
    }
    each.accept(packet);
  }

  /// Ends the thread and waits for it.
  @Override
  public void close() {
    loop.close();
    socket.close();
    stop.close();
  }
}
