package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.Messages;
import io.fairlead.kernel.netlink.Netlink;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.Descriptor;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.Files;
import io.fairlead.kernel.syscall.SystemCallException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells a listener what happens to the nftables of a namespace, on a thread of its own. When the
/// listener is slower than the kernel, events are lost and {@link Event.Lost} says so.
public final class Monitor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Monitor.class);
  private static final int GROUP_CHANGES = 7;
  private static final int GROUP_TRACES = 9;

  private final NetlinkSocket socket;
  private final Descriptor stop = Files.event("end of the nftables monitor");
  private final Consumer<Event> listener;
  private final Thread thread;

  private Monitor(NetlinkSocket socket, Consumer<Event> listener) {
    this.socket = socket;
    this.listener = listener;
    this.thread = Thread.ofPlatform().daemon(true).name("nftables monitor").unstarted(this::listen);
  }

  /// Watches changes in the namespace of the calling thread.
  public static Monitor changes(Consumer<Event> listener) {
    return start(GROUP_CHANGES, listener);
  }

  /// Watches packets that a rule told to trace (`meta nftrace set 1`).
  public static Monitor traces(Consumer<Event> listener) {
    return start(GROUP_TRACES, listener);
  }

  private static Monitor start(int group, Consumer<Event> listener) {
    Monitor monitor = new Monitor(NetlinkSocket.open(Netlink.NETFILTER, group), listener);
    monitor.thread.start();
    return monitor;
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
          Event event = EventReader.read(messages);
          if (event != null) {
            listener.accept(event);
          }
        }
      } catch (SystemCallException e) {
        if (!e.errno().equals(Errno.ENOBUFS)) {
          LOG.atError().setCause(e).log("nftables events can no longer be read");
          listener.accept(new Event.Lost());
          return;
        }
        listener.accept(new Event.Lost());
      } catch (RuntimeException e) {
        LOG.atWarn().setCause(e).log("an nftables event was not understood");
      }
    }
  }

  private boolean stopped() {
    return Files.awaitReadable(stop, socket.descriptor(), 0);
  }

  @Override
  public void close() {
    Files.signal(stop);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    socket.close();
    stop.close();
  }
}
