package io.fairlead.kernel.netlink;

import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.FileCalls;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import io.fairlead.kernel.syscall.SystemCallException;
import io.fairlead.work.SupervisedLoop;
import java.util.function.Consumer;

/// Hands the messages of multicast groups to a receiver, in a loop `netlink-listener`. When the
/// receiver is slower than the kernel, messages are lost and it learns that some were.
public final class NetlinkListener implements AutoCloseable {
  private final NetlinkSocket socket;
  private final NativeFileDescriptor stop;
  private final Consumer<NetlinkMessageReader> each;
  private final Runnable lost;
  private final SupervisedLoop loop;

  private NetlinkListener(
      String name, NetlinkSocket socket, Consumer<NetlinkMessageReader> each, Runnable lost) {
    this.socket = socket;
    this.stop = FileCalls.event("end of " + name);
    this.each = each;
    this.lost = lost;
    // Waits in native calls: not for a virtual thread, and no interrupt would end it.
    this.loop =
        SupervisedLoop.of("netlink-listener")
            .key(name)
            .platform()
            .stopBy(() -> FileCalls.signal(stop))
            .build(this::receive);
  }

  /// Listens in the network namespace of the calling thread.
  ///
  /// @param name what it listens to, for the log
  /// @param each gets one message at a time, good until it returns
  /// @param lost runs when messages were dropped or could not be read
  public static NetlinkListener start(
      String name, int protocol, int[] groups, Consumer<NetlinkMessageReader> each, Runnable lost) {
    NetlinkListener listener = prepare(name, protocol, each, lost);
    try {
      listener.begin(groups);
      return listener;
    } catch (SystemCallException e) {
      listener.close();
      throw e;
    }
  }

  /// The same for later: it belongs to the network namespace of the calling thread, whichever
  /// thread calls [begin][#begin].
  public static NetlinkListener prepare(
      String name, int protocol, Consumer<NetlinkMessageReader> each, Runnable lost) {
    return new NetlinkListener(name, NetlinkSocket.open(protocol), each, lost);
  }

  /// Listens from now on. Once only.
  public void begin(int... groups) {
    socket.join(groups);
    loop.start();
  }

  /// One batch of messages, or the wait for it.
  private void receive() {
    try {
      NetlinkMessageReader messages = socket.receive(false);
      if (messages == null) {
        boolean _ = FileCalls.awaitReadable(socket.descriptor(), stop, -1);
        return;
      }
      while (!loop.isClosing() && messages.next()) {
        each.accept(messages);
      }
    } catch (SystemCallException e) {
      lost.run();
      if (!e.errno().equals(Errno.ENOBUFS)) {
        throw e;
      }
    } catch (RuntimeException e) {
      // The rest of the batch is gone with the message that failed.
      lost.run();
      throw e;
    }
  }

  /// Ends the loop and waits for it, unless it is the caller.
  @Override
  public void close() {
    loop.close();
    socket.close();
    stop.close();
  }
}
