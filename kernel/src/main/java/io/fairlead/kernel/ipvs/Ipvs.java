package io.fairlead.kernel.ipvs;

import io.fairlead.kernel.netlink.GenericNetlinkFamily;
import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
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
  /// How many changes go out in one datagram. Each refusal takes space in the socket's queue, which
  /// must hold them all.
  private static final int AT_ONCE = 64;

  private final NetlinkSocket socket;
  private final GenericNetlinkFamily family;

  private Ipvs(NetlinkSocket socket, GenericNetlinkFamily family) {
    this.socket = socket;
    this.family = family;
  }

  /// @throws NetlinkException that says not found when the kernel has no IPVS
  public static Ipvs open() {
    NetlinkSocket socket = NetlinkSocket.open(NetlinkConstants.GENERIC);
    try {
      return new Ipvs(socket, GenericNetlinkFamily.resolve(socket, "IPVS", 1));
    } catch (RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /// All virtual servers but those known by a packet mark, of both address families.
  public List<ListedVirtualServer> servers() {
    // The kernel wants a service to list them, even an empty one.
    return dump(
        "virtual servers", IpvsCodec.GET_SERVICE, out -> out.close(out.open(1)), IpvsCodec::server);
  }

  /// The real servers of a virtual server; none when it is not there.
  public List<ListedRealServer> realServers(VirtualServerAddress endpoint) {
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
  public List<IpvsChangeFailure> apply(List<? extends IpvsChange> changes) {
    List<IpvsChangeFailure> refusals = new ArrayList<>();
    for (int from = 0; from < changes.size(); from += AT_ONCE) {
      send(changes.subList(from, Math.min(changes.size(), from + AT_ONCE)), refusals);
    }
    return refusals;
  }

  /// Only the last message asks for an answer; refusals come in any case.
  private void send(List<? extends IpvsChange> changes, List<IpvsChangeFailure> refusals) {
    NetlinkMessageWriter out = socket.writer();
    int first = 0;
    int last = 0;
    for (int i = 0; i < changes.size(); i++) {
      IpvsChange change = changes.get(i);
      last = socket.nextSequence();
      first = i == 0 ? last : first;
      int flags = i == changes.size() - 1 ? NetlinkConstants.FLAG_ACK : 0;
      int start = family.begin(out, IpvsCodec.command(change), flags, last);
      IpvsCodec.write(out, change);
      out.end(start);
      out.pad();
    }
    socket.send(out);
    while (true) {
      NetlinkMessageReader messages = socket.receive(true);
      while (messages != null && messages.next()) {
        int number = messages.sequence();
        if (!messages.isAnswer() || number < first || number > last) {
          continue;
        }
        if (!messages.errno().equals(Errno.NONE)) {
          refusals.add(
              new IpvsChangeFailure(
                  changes.get(number - first), messages.errno(), messages.text()));
        }
        if (number == last) {
          return;
        }
      }
    }
  }

  public IpvsTimeouts timeouts() {
    AtomicReference<IpvsTimeouts> found = new AtomicReference<>(new IpvsTimeouts(0, 0, 0));
    socket.ask(
        "timeouts of IPVS",
        sequence -> message(IpvsCodec.GET_CONFIG, NetlinkConstants.FLAG_ACK, sequence, _ -> {}),
        message -> found.set(IpvsCodec.timeouts(message)));
    return found.get();
  }

  /// Sets those that are not 0.
  public void setTimeouts(IpvsTimeouts timeouts) {
    socket.request(
        "set timeouts of IPVS",
        sequence ->
            message(
                IpvsCodec.SET_CONFIG,
                NetlinkConstants.FLAG_ACK,
                sequence,
                out -> IpvsCodec.timeouts(out, timeouts)));
  }

  /// Removes every virtual server, also those of other programs.
  public void flush() {
    socket.request(
        "flush IPVS",
        sequence -> message(IpvsCodec.FLUSH, NetlinkConstants.FLAG_ACK, sequence, _ -> {}));
  }

  private NetlinkMessageWriter message(
      int command, int flags, int sequence, Consumer<NetlinkMessageWriter> write) {
    NetlinkMessageWriter out = socket.writer();
    int start = family.begin(out, command, flags, sequence);
    write.accept(out);
    out.end(start);
    return out;
  }

  private <T> List<T> dump(
      String object,
      int command,
      Consumer<NetlinkMessageWriter> write,
      Function<NetlinkMessageReader, @Nullable T> read) {
    return socket.list(
        object,
        sequence -> message(command, NetlinkConstants.FLAG_DUMP, sequence, write),
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
