package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import io.fairlead.kernel.syscall.Sockets;
import io.fairlead.kernel.syscall.SystemCallException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Plays the kernel: answers every request for a list with the next listing of its script, and
/// those after the last with the last.
final class ScriptedKernel implements AutoCloseable {
  private static final int LONGEST = 1 << 16;

  /// The messages of one list.
  ///
  /// @param interrupted whether the kernel says that something changed meanwhile
  record Listing(boolean interrupted, List<String> keys) {}

  private final List<Listing> script;
  private final NativeFileDescriptor own;
  private final NativeFileDescriptor other;
  private final Nftables nftables;
  private final Thread thread;
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean closed;

  ScriptedKernel(List<Listing> script) {
    this.script = script;
    List<NativeFileDescriptor> pair = Sockets.pair("scripted kernel");
    own = pair.getFirst();
    other = pair.getLast();
    nftables = new Nftables(NetlinkSocket.over(other));
    thread = Thread.ofPlatform().daemon().name("scripted-kernel").start(this::serve);
  }

  Nftables nftables() {
    return nftables;
  }

  /// How many lists were asked for.
  int asked() {
    return asked.get();
  }

  private void serve() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(LONGEST, 8);
      while (!closed) {
        byte[] request = new byte[(int) Sockets.receive(own, memory, 0)];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, request, 0, request.length);
        NetlinkMessageReader messages = NetlinkMessageReader.of(request);
        if (messages.next()) {
          answer(
              messages.sequence(),
              script.get(Math.min(asked.getAndIncrement(), script.size() - 1)),
              memory);
        }
      }
    } catch (SystemCallException e) {
      if (!closed) {
        throw e;
      }
    }
  }

  private void answer(int sequence, Listing listing, MemorySegment memory) {
    NetlinkMessageWriter out = new NetlinkMessageWriter();
    int flags =
        NetlinkConstants.FLAG_MULTI
            | (listing.interrupted() ? NetlinkConstants.FLAG_DUMP_INTERRUPTED : 0);
    for (String key : listing.keys()) {
      int start =
          out.beginNetfilter(
              NetlinkConstants.SUBSYSTEM_NFTABLES, NftConstants.NEW_ELEMENT, flags, sequence, 2, 0);
      int list = out.nest(NftConstants.ELEMENTS_LIST);
      int element = out.nest(NftConstants.LIST_ELEMENT);
      new ExpressionWriter(out).value(NftConstants.ELEMENT_KEY, NftData.ofHex(key));
      out.close(element);
      out.close(list);
      out.end(start);
    }
    int done = out.begin(NetlinkConstants.TYPE_DONE, flags, sequence);
    out.putInt(0);
    out.end(done);
    byte[] bytes = out.toByteArray();
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, bytes.length);
    Sockets.send(own, memory, bytes.length);
  }

  @Override
  public void close() {
    closed = true;
    // A last question, so that no reader waits for one.
    try (Arena arena = Arena.ofConfined()) {
      Sockets.send(other, arena.allocate(1), 1);
    }
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    nftables.close();
    own.close();
  }
}
