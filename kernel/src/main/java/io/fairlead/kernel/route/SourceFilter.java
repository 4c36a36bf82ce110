package io.fairlead.kernel.route;

import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.NonBlockingSockets;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Makes a listening socket deaf to strangers: only this machine itself and some sources are heard.
///
/// How it works: Linux answers for each of its addresses on every network card, so an address that
/// is meant for this machine alone is open to any neighbour who sends packets for it here. A filter
/// on the socket looks at each packet before TCP does; the first one of a stranger is dropped, and
/// the stranger gets no answer at all. Connections inherit it. It is no rule of a firewall: it
/// needs no rights, no other program sees or flushes it, and it goes with the socket. A stranger
/// who lies about its source is heard, but the answer goes to the true owner of that address.
///
/// Packets of this machine come in by the loopback interface whatever their source is, for that may
/// have been translated.
public final class SourceFilter {
  // linux/filter.h: loads at these offsets ask for something else than bytes of the packet.
  private static final int INTERFACE = -0x1000 + 8; // SKF_AD_OFF + SKF_AD_IFINDEX
  private static final int NETWORK_HEADER = -0x100000; // SKF_NET_OFF

  private static final int SOURCE_V4 = 12;
  private static final int SOURCE_V6 = 8;
  private static final int LOOPBACK = 1; // the index of lo in every network namespace
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private SourceFilter() {}

  /// Begins with the next packet. What came before it was put there is heard.
  ///
  /// @param listener bound to one address, of this process
  /// @param sources who is heard besides this machine; those of another family do not matter
  public static void attach(ServerSocketChannel listener, Collection<IpPrefix> sources)
      throws IOException {
    InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
    boolean ipv4 = address.getAddress() instanceof Inet4Address;
    List<IpPrefix> same =
        sources.stream()
            .filter(source -> source.address() instanceof Inet4Address == ipv4)
            .toList();
    try (NonBlockingSockets calls = new NonBlockingSockets()) {
      int result = install(calls, descriptor(calls, address), program(same));
      if (result < 0) {
        throw new SystemCallException(
            address.toString(), "setsockopt SO_ATTACH_FILTER", new Errno(-result));
      }
    }
  }

  private static int install(NonBlockingSockets calls, int socket, List<BpfInstruction> program) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory =
          arena.allocate((long) program.size() * BpfInstruction.BYTES, Long.BYTES);
      long at = 0;
      for (BpfInstruction each : program) {
        memory.set(ValueLayout.JAVA_SHORT, at, (short) each.code());
        memory.set(ValueLayout.JAVA_BYTE, at + 2, (byte) each.whenTrue());
        memory.set(ValueLayout.JAVA_BYTE, at + 3, (byte) each.whenFalse());
        memory.set(ValueLayout.JAVA_INT, at + 4, each.value());
        at += BpfInstruction.BYTES;
      }
      return calls.filter(socket, memory.address(), program.size());
    }
  }

  /// Java does not show the descriptor of a socket, but the kernel shows the address of each one.
  private static int descriptor(NonBlockingSockets calls, InetSocketAddress address)
      throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path each : all) {
        int number = Integer.parseInt(String.valueOf(each.getFileName()));
        if (calls.isListening(number)
            && calls.port(number) == address.getPort()
            && calls.peer().isAt(address.getAddress())) {
          return number;
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    throw new IOException("no socket of this process listens at " + address);
  }

  /// What lets these sources and the loopback interface through.
  static List<BpfInstruction> program(List<IpPrefix> sources) {
    List<BpfInstruction> program = new ArrayList<>();
    program.add(BpfInstruction.load(INTERFACE));
    program.add(BpfInstruction.equalOrSkip(LOOPBACK, 1));
    program.add(BpfInstruction.accept());
    sources.forEach(source -> program.addAll(from(source)));
    program.add(BpfInstruction.drop());
    return program;
  }

  /// Accepts when the source lies in the prefix, else falls through behind it.
  private static List<BpfInstruction> from(IpPrefix prefix) {
    ByteBuffer address = ByteBuffer.wrap(prefix.address().getAddress());
    int start = NETWORK_HEADER + (address.capacity() == Integer.BYTES ? SOURCE_V4 : SOURCE_V6);
    int words = Math.ceilDiv(prefix.length(), Integer.SIZE);
    List<BpfInstruction> instructions = new ArrayList<>();
    for (int word = 0; word < words; word++) {
      int bits = Math.min(Integer.SIZE, prefix.length() - word * Integer.SIZE);
      int mask = -1 << (Integer.SIZE - bits);
      // Behind the comparison: three instructions for each further word, and the accepting one.
      int skipped = (words - word - 1) * 3 + 1;
      instructions.add(BpfInstruction.load(start + word * Integer.BYTES));
      instructions.add(BpfInstruction.and(mask));
      instructions.add(
          BpfInstruction.equalOrSkip(address.getInt(word * Integer.BYTES) & mask, skipped));
    }
    instructions.add(BpfInstruction.accept());
    return instructions;
  }
}
