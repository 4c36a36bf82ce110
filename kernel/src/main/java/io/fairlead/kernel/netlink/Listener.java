package io.fairlead.kernel.netlink;

import io.fairlead.kernel.syscall.Descriptor;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.Files;
import io.fairlead.kernel.syscall.SystemCallException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hands the messages of multicast groups to a receiver, on a thread of its own. When the receiver
/// is slower than the kernel, messages are lost and it is told so.
public final class Listener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

  private final String name;
  private final NetlinkSocket socket;
  private final Descriptor stop;
  private final Consumer<Messages> each;
  private final Runnable lost;
  private final Thread thread;

  private Listener(String name, NetlinkSocket socket, Consumer<Messages> each, Runnable lost) {
    this.name = name;
    this.socket = socket;
    this.stop = Files.event("end of " + name);
    this.each = each;
    this.lost = lost;
    this.thread = Thread.ofPlatform().daemon(true).name(name).unstarted(this::listen);
  }

  /// Listens in the network namespace of the calling thread.
  ///
  /// @param name of the thread
  /// @param each gets one message at a time, good until it returns
  /// @param lost runs when messages were dropped, and when nothing can be read any more
  public static Listener start(
      String name, int protocol, int[] groups, Consumer<Messages> each, Runnable lost) {
    Listener listener = prepare(name, protocol, each, lost);
    try {
      listener.begin(groups);
      return listener;
    } catch (SystemCallException e) {
      listener.close();
      throw e;
    }
  }

  /// The same for later: it belongs to the network namespace of the calling thread, whoever has it
  /// [begin][#begin].
  public static Listener prepare(
      String name, int protocol, Consumer<Messages> each, Runnable lost) {
    return new Listener(name, NetlinkSocket.open(protocol), each, lost);
  }

  /// Listens from now on. Once only.
  public void begin(int... groups) {
    socket.join(groups);
    thread.start();
  }

  private void listen() {
    while (true) {
      try {
        Messages messages = socket.receive(false);
        if (messages == null) {
          if (!Files.awaitReadable(socket.descriptor(), stop, -1) && stopped()) {
            return;
          }
          continue;
        }
        while (messages.next()) {
          each.accept(messages);
        }
      } catch (SystemCallException e) {
        lost.run();
        if (!e.errno().equals(Errno.ENOBUFS)) {
          LOG.atError().addKeyValue("listener", name).setCause(e).log("cannot be read any more");
          return;
        }
      } catch (RuntimeException e) {
        LOG.atWarn().addKeyValue("listener", name).setCause(e).log("a message was not understood");
      }
    }
  }

  private boolean stopped() {
    return Files.awaitReadable(stop, socket.descriptor(), 0);
  }

  /// Ends the thread and waits for it, unless it is the caller.
  @Override
  public void close() {
    Files.signal(stop);
    try {
      if (!Thread.currentThread().equals(thread)) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    socket.close();
    stop.close();
  }
}
