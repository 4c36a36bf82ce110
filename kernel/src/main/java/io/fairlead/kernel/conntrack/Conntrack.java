package io.fairlead.kernel.conntrack;

import io.fairlead.kernel.netlink.Listener;
import io.fairlead.kernel.netlink.MessageWriter;
import io.fairlead.kernel.netlink.Messages;
import io.fairlead.kernel.netlink.Netlink;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.Errno;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/// The tracked connections of one network namespace. Opened in that of the calling thread; used by
/// one thread at a time.
public final class Conntrack implements AutoCloseable {
  /// `AF_INET`.
  public static final int IPV4 = 2;

  /// `AF_INET6`.
  public static final int IPV6 = 10;

  private static final int NEW = 0;
  private static final int GET = 1;
  private static final int DELETE = 2;
  private static final int GROUP_NEW = 1;
  private static final int GROUP_UPDATE = 2;
  private static final int GROUP_DESTROY = 3;

  private final NetlinkSocket socket;

  private Conntrack(NetlinkSocket socket) {
    this.socket = socket;
  }

  /// @throws io.fairlead.kernel.syscall.SystemCallException when the kernel has no netfilter
  public static Conntrack open() {
    return new Conntrack(NetlinkSocket.open(Netlink.NETFILTER));
  }

  /// The entries of a family and a protocol that `wanted` picks. Entries that come and go meanwhile
  /// may be missing or there.
  ///
  /// @param family {@link #IPV4} or {@link #IPV6}
  /// @param protocol the number in the IP header, 0 for all
  public List<Entry> list(int family, int protocol, Predicate<Entry> wanted) {
    return socket.list(
        "tracked connections",
        sequence -> {
          MessageWriter out = socket.writer();
          int start = begin(out, GET, Netlink.FLAG_DUMP, sequence, family);
          if (protocol != 0) {
            EntryCodec.onlyProtocol(out, protocol);
          }
          out.end(start);
          return out;
        },
        (message, found) -> {
          Entry entry = EntryCodec.read(message);
          if ((protocol == 0 || entry.original().protocol() == protocol) && wanted.test(entry)) {
            found.add(entry);
          }
        });
  }

  /// Makes the kernel forget an entry; its next packet begins a new connection.
  ///
  /// @return false when it was gone already
  public boolean delete(Entry entry) {
    int family = entry.original().source().getAddress().length == 4 ? IPV4 : IPV6;
    IntFunction<MessageWriter> write =
        sequence -> {
          MessageWriter out = socket.writer();
          int start = begin(out, DELETE, Netlink.FLAG_ACK, sequence, family);
          EntryCodec.identity(out, entry);
          out.end(start);
          return out;
        };
    try {
      socket.request("delete tracked connection " + entry.original(), write);
      return true;
    } catch (NetlinkException e) {
      if (e.errno().equals(Errno.ENOENT)) {
        return false;
      }
      throw e;
    }
  }

  /// Makes the kernel forget all entries of a family and a protocol that `unwanted` picks.
  ///
  /// @return how many
  public int deleteIf(int family, int protocol, Predicate<Entry> unwanted) {
    int deleted = 0;
    for (Entry entry : list(family, protocol, unwanted)) {
      if (delete(entry)) {
        deleted++;
      }
    }
    return deleted;
  }

  private static int begin(MessageWriter out, int operation, int flags, int sequence, int family) {
    return out.beginNetfilter(
        Netlink.SUBSYSTEM_CONNTRACK, operation, Netlink.FLAG_REQUEST | flags, sequence, family, 0);
  }

  /// Something that happened to a tracked connection.
  public sealed interface Event {
    record Began(Entry entry) implements Event {}

    record Changed(Entry entry) implements Event {}

    record Ended(Entry entry) implements Event {}

    /// Events were lost because they were not read in time.
    record Lost() implements Event {}
  }

  /// Tells a receiver, on a thread of its own, what happens in the namespace of the calling thread.
  public static Listener listen(Consumer<Event> receiver) {
    return Listener.start(
        "conntrack events",
        Netlink.NETFILTER,
        new int[] {GROUP_NEW, GROUP_UPDATE, GROUP_DESTROY},
        message -> event(message, receiver),
        () -> receiver.accept(new Event.Lost()));
  }

  private static void event(Messages message, Consumer<Event> receiver) {
    if (message.subsystem() != Netlink.SUBSYSTEM_CONNTRACK) {
      return;
    }
    Entry entry = EntryCodec.read(message);
    switch (message.operation()) {
      case NEW ->
          receiver.accept(
              (message.flags() & Netlink.FLAG_CREATE) != 0
                  ? new Event.Began(entry)
                  : new Event.Changed(entry));
      case DELETE -> receiver.accept(new Event.Ended(entry));
      default -> {}
    }
  }

  @Override
  public void close() {
    socket.close();
  }
}
