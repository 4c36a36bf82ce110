package io.fairlead.kernel.ipvs;

import io.fairlead.kernel.netlink.GenericFamily;
import io.fairlead.kernel.netlink.MessageWriter;
import io.fairlead.kernel.netlink.Messages;
import io.fairlead.kernel.netlink.Netlink;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.Errno;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The load balancer of one network namespace: that of the thread that opens it. Used by one thread
/// at a time.
public final class Ipvs implements AutoCloseable {
  /// How many changes go out in one datagram. Each refusal takes room in the socket's queue, which
  /// must hold them all.
  private static final int AT_ONCE = 64;

  private final NetlinkSocket socket;
  private final GenericFamily family;

  private Ipvs(NetlinkSocket socket, GenericFamily family) {
    this.socket = socket;
    this.family = family;
  }

  /// @throws NetlinkException that says not found when the kernel has no IPVS
  public static Ipvs open() {
    NetlinkSocket socket = NetlinkSocket.open(Netlink.GENERIC);
    try {
      return new Ipvs(socket, GenericFamily.resolve(socket, "IPVS", 1));
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /// All virtual servers but those known by a packet mark, of both address families.
  public List<ListedServer> servers() {
    // The kernel wants a service to list them, even an empty one.
    return dump(
        "virtual servers", IpvsCodec.GET_SERVICE, out -> out.close(out.open(1)), IpvsCodec::server);
  }

  /// The real servers of a virtual server; none when it is not there.
  public List<ListedReal> realServers(Endpoint endpoint) {
    try {
      return dump(
          "real servers of " + endpoint,
          IpvsCodec.GET_DESTINATION,
          out -> IpvsCodec.endpoint(out, endpoint),
          message -> IpvsCodec.real(message, endpoint.family()));
    } catch (NetlinkException e) {
      if (e.errno().equals(Errno.ESRCH) || e.errno().equals(Errno.ENOENT)) {
        return List.of();
      }
      throw e;
    }
  }

  /// Makes changes one after another; one that is refused does not keep the next from being made.
  ///
  /// @return what was refused, in order
  public List<Refusal> apply(List<? extends Change> changes) {
    List<Refusal> refusals = new ArrayList<>();
    for (int from = 0; from < changes.size(); from += AT_ONCE) {
      send(changes.subList(from, Math.min(changes.size(), from + AT_ONCE)), refusals);
    }
    return refusals;
  }

  /// Only the last message asks for an answer; refusals come in any case.
  private void send(List<? extends Change> changes, List<Refusal> refusals) {
    MessageWriter out = socket.writer();
    int first = 0;
    int last = 0;
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      last = socket.nextSequence();
      first = i == 0 ? last : first;
      int flags = i == changes.size() - 1 ? Netlink.FLAG_ACK : 0;
      int start = family.begin(out, IpvsCodec.command(change), flags, last);
      IpvsCodec.write(out, change);
      out.end(start);
      out.pad();
    }
    socket.send(out);
    while (true) {
      Messages messages = socket.receive(true);
      while (messages != null && messages.next()) {
        int number = messages.sequence();
        if (!messages.isAnswer() || number < first || number > last) {
          continue;
        }
        if (!messages.errno().equals(Errno.NONE)) {
          refusals.add(new Refusal(changes.get(number - first), messages.errno(), messages.text()));
        }
        if (number == last) {
          return;
        }
      }
    }
  }

  public Timeouts timeouts() {
    AtomicReference<Timeouts> found = new AtomicReference<>(new Timeouts(0, 0, 0));
    socket.ask(
        "timeouts of IPVS",
        sequence -> message(IpvsCodec.GET_CONFIG, Netlink.FLAG_ACK, sequence, _ -> {}),
        message -> found.set(IpvsCodec.timeouts(message)));
    return found.get();
  }

  /// Sets those that are not 0.
  public void setTimeouts(Timeouts timeouts) {
    socket.request(
        "set timeouts of IPVS",
        sequence ->
            message(
                IpvsCodec.SET_CONFIG,
                Netlink.FLAG_ACK,
                sequence,
                out -> IpvsCodec.timeouts(out, timeouts)));
  }

  /// Removes every virtual server, whoever made it.
  public void flush() {
    socket.request(
        "flush IPVS", sequence -> message(IpvsCodec.FLUSH, Netlink.FLAG_ACK, sequence, _ -> {}));
  }

  private MessageWriter message(
      int command, int flags, int sequence, Consumer<MessageWriter> write) {
    MessageWriter out = socket.writer();
    int start = family.begin(out, command, flags, sequence);
    write.accept(out);
    out.end(start);
    return out;
  }

  private <T> List<T> dump(
      String object,
      int command,
      Consumer<MessageWriter> write,
      Function<Messages, @Nullable T> read) {
    return socket.list(
        object,
        sequence -> message(command, Netlink.FLAG_DUMP, sequence, write),
        (message, found) -> {
          T value = read.apply(message);
          if (value != null) {
            found.add(value);
          }
        });
  }

  @Override
  public void close() {
    socket.close();
  }
}
