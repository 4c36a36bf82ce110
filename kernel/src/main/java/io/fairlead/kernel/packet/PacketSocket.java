package io.fairlead.kernel.packet;

import io.fairlead.kernel.route.BpfInstruction;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.FileCalls;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import io.fairlead.kernel.syscall.NonBlockingSockets;
import io.fairlead.kernel.syscall.Sockets;
import io.fairlead.kernel.syscall.SystemCallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hears and sends whole Ethernet frames of one protocol on one interface, packet(7). Needs
/// CAP_NET_RAW. Frames that this machine sends are not heard: only sockets for all protocols get
/// those.
///
/// One thread receives; any may send.
public final class PacketSocket implements AutoCloseable {
  private static final int AF_PACKET = 17; // linux/socket.h
  private static final int ADDRESS_SIZE = 20; // struct sockaddr_ll of linux/if_packet.h
  private static final int SOL_PACKET = 263; // linux/socket.h
  private static final int PACKET_ADD_MEMBERSHIP = 1; // linux/if_packet.h
  private static final short PACKET_MR_PROMISC = 1;
  private static final int MEMBERSHIP_SIZE = 16; // struct packet_mreq
  private static final int LARGEST = 2048;
  private static final ValueLayout.OfShort BE16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final NativeFileDescriptor socket;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment received = arena.allocate(LARGEST, Long.BYTES);
  private final ByteBuffer view = received.asByteBuffer();

  private PacketSocket(NativeFileDescriptor socket) {
    this.socket = socket;
  }

  /// For ARP messages on the interface with that number, in the network namespace of the caller.
  public static PacketSocket arp(int link) {
    return open("ARP on interface " + link, link, ArpFrame.PROTOCOL, List.of());
  }

  /// For neighbour solicitations and advertisements; the kernel drops everything else.
  public static PacketSocket neighbourDiscovery(int link) {
    return open("ND on interface " + link, link, NeighbourFrame.PROTOCOL, neighbourMessages());
  }

  private static PacketSocket open(
      String name, int link, int protocol, List<BpfInstruction> filter) {
    // With protocol 0 nothing is heard before the filter and the interface are set.
    NativeFileDescriptor socket = Sockets.open(name, AF_PACKET, Sockets.SOCK_RAW, 0);
    try (Arena brief = Arena.ofConfined()) {
      if (!filter.isEmpty()) {
        attach(socket, filter, brief);
      }
      MemorySegment address = brief.allocate(ADDRESS_SIZE, Integer.BYTES);
      address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_PACKET);
      address.set(BE16, 2, (short) protocol);
      address.set(ValueLayout.JAVA_INT, 4, link);
      Sockets.bind(socket, address);
      return new PacketSocket(socket);
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /// ICMPv6 with hop limit 255, types 135 and 136 with code 0.
  private static List<BpfInstruction> neighbourMessages() {
    return List.of(
        BpfInstruction.load(20),
        BpfInstruction.and(0xffff_0000),
        BpfInstruction.equalOrSkip(0x3aff_0000, 5),
        BpfInstruction.load(54),
        BpfInstruction.and(0xffff_0000),
        BpfInstruction.equalOrSkip(0x8700_0000, 1),
        BpfInstruction.accept(),
        BpfInstruction.equalOrSkip(0x8800_0000, 1),
        BpfInstruction.accept(),
        BpfInstruction.drop());
  }

  private static void attach(
      NativeFileDescriptor socket, List<BpfInstruction> program, Arena brief) {
    MemorySegment memory = brief.allocate((long) program.size() * BpfInstruction.BYTES, Long.BYTES);
    long at = 0;
    for (BpfInstruction each : program) {
      memory.set(ValueLayout.JAVA_SHORT, at, (short) each.code());
      memory.set(ValueLayout.JAVA_BYTE, at + 2, (byte) each.whenTrue());
      memory.set(ValueLayout.JAVA_BYTE, at + 3, (byte) each.whenFalse());
      memory.set(ValueLayout.JAVA_INT, at + 4, each.value());
      at += BpfInstruction.BYTES;
    }
    try (NonBlockingSockets calls = new NonBlockingSockets()) {
      int result = calls.filter(socket.number(), memory.address(), program.size());
      if (result < 0) {
        throw new SystemCallException(
            socket.name(), "setsockopt SO_ATTACH_FILTER", new Errno(-result));
      }
    }
  }

  /// Has the card of an interface hand up frames for any hardware address, until this is closed.
  public void hearAll(int link) {
    try (Arena brief = Arena.ofConfined()) {
      MemorySegment membership = brief.allocate(MEMBERSHIP_SIZE, Integer.BYTES);
      membership.set(ValueLayout.JAVA_INT, 0, link);
      membership.set(ValueLayout.JAVA_SHORT, 4, PACKET_MR_PROMISC);
      Sockets.setOption(socket, SOL_PACKET, PACKET_ADD_MEMBERSHIP, membership);
    }
  }

  /// The next frame, good until the next call; null when none is there. What does not fit is cut.
  public @Nullable ByteBuffer receive() {
    long length = Sockets.receive(socket, received, Sockets.MSG_DONTWAIT);
    return length < 0 ? null : view.clear().limit((int) Math.min(length, LARGEST));
  }

  /// Waits for a frame, or until the other descriptor can be read.
  void await(NativeFileDescriptor stop) {
    boolean _ = FileCalls.awaitReadable(socket, stop, -1);
  }

  /// Sends what lies between the start of the buffer and its position.
  public void send(ByteBuffer frame) {
    try (Arena brief = Arena.ofConfined()) {
      MemorySegment memory = brief.allocate(frame.position());
      memory.copyFrom(MemorySegment.ofBuffer(frame.duplicate().flip()));
      Sockets.send(socket, memory, memory.byteSize());
    }
  }

  /// Idempotent. No thread may be receiving.
  @Override
  public void close() {
    socket.close();
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
