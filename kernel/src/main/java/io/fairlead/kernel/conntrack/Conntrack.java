package io.fairlead.kernel.conntrack;

import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.netlink.NetlinkListener;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.Errno;
import java.net.Inet6Address;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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

  /// So many refusals fit into the receive queue of a socket.
  private static final int BATCH = 128;

  private final NetlinkSocket socket;

  private Conntrack(NetlinkSocket socket) {
    this.socket = socket;
  }

  /// @throws io.fairlead.kernel.syscall.SystemCallException when the kernel has no netfilter
  public static Conntrack open() {
    return new Conntrack(NetlinkSocket.open(NetlinkConstants.NETFILTER));
  }

  /// The entries of a family and a protocol that `wanted` picks. Entries that come and go meanwhile
  /// may be missing or there.
  ///
  /// @param family {@link #IPV4} or {@link #IPV6}
  /// @param protocol the number in the IP header, 0 for all
  public List<ConntrackEntry> list(int family, int protocol, Predicate<ConntrackEntry> wanted) {
    return list(family, ConntrackFilter.protocol(protocol), wanted);
  }

  /// The same for those that a filter lets through.
  public List<ConntrackEntry> list(
      int family, ConntrackFilter filter, Predicate<ConntrackEntry> wanted) {
    return socket.list(
        "tracked connections",
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          int start = begin(out, GET, NetlinkConstants.FLAG_DUMP, sequence, family);
          ConntrackEntryCodec.filter(out, filter);
          out.end(start);
          return out;
        },
        (message, found) -> {
          ConntrackEntry entry = ConntrackEntryCodec.read(message);
          if (filter.matches(entry) && wanted.test(entry)) {
            found.add(entry);
          }
        });
  }

  /// The entry of a connection, by how its first packet was sent.
  public Optional<ConntrackEntry> find(ConntrackTuple original) {
    int family = original.source().getAddress().length == 4 ? IPV4 : IPV6;
    List<ConntrackEntry> found = new ArrayList<>();
    try {
      socket.ask(
          "tracked connection " + original,
          sequence -> {
            NetlinkMessageWriter out = socket.writer();
            int start = begin(out, GET, NetlinkConstants.FLAG_ACK, sequence, family);
            ConntrackEntryCodec.tuple(out, ConntrackEntryCodec.TUPLE_ORIGINAL, original);
            out.end(start);
            return out;
          },
          message -> found.add(ConntrackEntryCodec.read(message)));
    } catch (NetlinkException e) {
      if (e.errno().equals(Errno.ENOENT)) {
        return Optional.empty();
      }
      throw e;
    }
    return found.stream().findFirst();
  }

  /// Makes the kernel forget an entry; its next packet begins a new connection.
  ///
  /// @return false when it was gone already
  public boolean delete(ConntrackEntry entry) {
    return delete(List.of(entry)) == 1;
  }

  /// The same for many, by hundreds at once: the answers are what takes time.
  ///
  /// @return how many were there
  public int delete(List<ConntrackEntry> entries) {
    int deleted = 0;
    for (int from = 0; from < entries.size(); from += BATCH) {
      deleted += deleteBatch(entries.subList(from, Math.min(from + BATCH, entries.size())));
    }
    return deleted;
  }

  private int deleteBatch(List<ConntrackEntry> entries) {
    NetlinkMessageWriter out = socket.writer();
    int last = 0;
    for (int i = 0; i < entries.size(); i++) {
      ConntrackEntry entry = entries.get(i);
      boolean isLast = i == entries.size() - 1;
      int family = entry.original().source().getAddress().length == 4 ? IPV4 : IPV6;
      last = socket.nextSequence();
      int start = begin(out, DELETE, isLast ? NetlinkConstants.FLAG_ACK : 0, last, family);
      ConntrackEntryCodec.identity(out, entry);
      out.end(start);
    }
    return entries.size() - socket.requestAll("tracked connections", out, last, Errno.ENOENT);
  }

  /// Makes the kernel forget all entries of a family and a protocol that `unwanted` picks.
  ///
  /// @return how many
  public int deleteIf(int family, int protocol, Predicate<ConntrackEntry> unwanted) {
    return delete(list(family, protocol, unwanted));
  }

  /// Makes the kernel forget all entries that a filter picks, in one walk through its table. Much
  /// quicker than to list them and name each.
  ///
  /// @param filter with a protocol: a kernel that does not know filters here (before 6.12) would
  ///   take a request without a tuple for one to forget everything; one with a part of a tuple it
  ///   refuses
  /// @return false when the kernel cannot, and has forgotten nothing: one that is too old, or an
  ///   address of IPv6, which kernels compare the wrong way
  public boolean deleteAll(int family, ConntrackFilter filter) {
    if (filter.protocol() == 0) {
      throw new IllegalArgumentException("a filter to delete by names a protocol");
    }
    if (filter.destination() instanceof Inet6Address
        || filter.replySource() instanceof Inet6Address) {
      return false;
    }
    try {
      socket.request(
          "tracked connections",
          sequence -> {
            NetlinkMessageWriter out = socket.writer();
            int start = begin(out, DELETE, NetlinkConstants.FLAG_ACK, sequence, family);
            ConntrackEntryCodec.filter(out, filter);
            out.end(start);
            return out;
          });
      return true;
    } catch (NetlinkException e) {
      if (e.errno().equals(Errno.EINVAL)
          || e.errno().equals(Errno.ENOENT)
          || e.errno().equals(Errno.EOPNOTSUPP)) {
        return false;
      }
      throw e;
    }
  }

  private static int begin(
      NetlinkMessageWriter out, int operation, int flags, int sequence, int family) {
    return out.beginNetfilter(
        NetlinkConstants.SUBSYSTEM_CONNTRACK,
        operation,
        NetlinkConstants.FLAG_REQUEST | flags,
        sequence,
        family,
        0);
  }

  /// Something that happened to a tracked connection.
  public sealed interface Event {
    record Began(ConntrackEntry entry) implements Event {}

    record Changed(ConntrackEntry entry) implements Event {}

    record Ended(ConntrackEntry entry) implements Event {}

    /// Events were lost because they were not read in time.
    record Lost() implements Event {}
  }

  /// Reports to a receiver, in a loop of its own, what happens in the namespace of the calling
  /// thread.
  public static NetlinkListener listen(Consumer<Event> receiver) {
    return NetlinkListener.start(
        "conntrack events",
        NetlinkConstants.NETFILTER,
        new int[] {GROUP_NEW, GROUP_UPDATE, GROUP_DESTROY},
        message -> event(message, receiver),
        () -> receiver.accept(new Event.Lost()));
  }

  private static void event(NetlinkMessageReader message, Consumer<Event> receiver) {
    if (message.subsystem() != NetlinkConstants.SUBSYSTEM_CONNTRACK) {
      return;
    }
    ConntrackEntry entry = ConntrackEntryCodec.read(message);
    switch (message.operation()) {
      case NEW ->
          receiver.accept(
              (message.flags() & NetlinkConstants.FLAG_CREATE) != 0
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
