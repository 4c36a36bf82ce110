package io.fairlead.kernel.conntrack;

import io.fairlead.kernel.netlink.NetlinkAttributeReader;
import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.Errno;
import java.util.List;
import java.util.function.BiPredicate;

/// The labels of tracked connections: 128 bits each that rules can look at. Opened in the network
/// namespace of the calling thread; used by one thread at a time.
///
/// How it works: the kernel keeps labels only for connections that begin while some rule sets one.
/// The bitmap is an array of the machine's longs; on machines of either byte order, bit `n` is in
/// the word of 32 bits number `n / 32` of a little-endian machine.
public final class ConntrackLabels implements AutoCloseable {
  private static final int NEW = 0;
  private static final int GET = 1;
  private static final int LABELS = 22;
  private static final int LABELS_MASK = 23;
  private static final int LENGTH = 16;
  private static final int HEADER = 4;

  /// What became of a request.
  public enum Outcome {
    DONE,
    /// The connection has ended.
    GONE,
    /// The connection has no room for labels: it is older than the rule that sets one.
    NO_LABELS
  }

  /// A connection and whether it has the label.
  public record Labelled(ConntrackEntry entry, boolean labelled) {}

  private final NetlinkSocket socket;
  private final int bit;

  private ConntrackLabels(NetlinkSocket socket, int bit) {
    this.socket = socket;
    this.bit = bit;
  }

  /// @param bit which label, 0 to 127
  public static ConntrackLabels open(int bit) {
    if (bit < 0 || bit >= LENGTH * 8) {
      throw new IllegalArgumentException("no label has the number " + bit);
    }
    return new ConntrackLabels(NetlinkSocket.open(NetlinkConstants.NETFILTER), bit);
  }

  /// The connections of a family that `wanted` picks.
  ///
  /// @param family {@link Conntrack#IPV4} or {@link Conntrack#IPV6}
  public List<Labelled> list(int family, BiPredicate<ConntrackEntry, Boolean> wanted) {
    return socket.list(
        "tracked connections",
        sequence -> {
          NetlinkMessageWriter out = socket.writer();
          out.end(begin(out, GET, NetlinkConstants.FLAG_DUMP, sequence, family));
          return out;
        },
        (message, found) -> {
          ConntrackEntry entry = ConntrackEntryCodec.read(message);
          boolean labelled = has(message.attributes(HEADER));
          if (wanted.test(entry, labelled)) {
            found.add(new Labelled(entry, labelled));
          }
        });
  }

  private boolean has(NetlinkAttributeReader attributes) {
    while (attributes.next()) {
      if (attributes.type() == LABELS) {
        byte[] labels = attributes.bytes();
        return bit / 8 < labels.length && (labels[bit / 8] >> bit % 8 & 1) != 0;
      }
    }
    return false;
  }

  /// Sets or clears the label.
  public Outcome set(ConntrackEntry entry, boolean on) {
    int family =
        entry.original().source().getAddress().length == 4 ? Conntrack.IPV4 : Conntrack.IPV6;
    byte[] mask = new byte[LENGTH];
    mask[bit / 8] = (byte) (1 << bit % 8);
    try {
      socket.request(
          "label of tracked connection " + entry.original(),
          sequence -> {
            NetlinkMessageWriter out = socket.writer();
            int start = begin(out, NEW, NetlinkConstants.FLAG_ACK, sequence, family);
            ConntrackEntryCodec.tuple(out, ConntrackEntryCodec.TUPLE_ORIGINAL, entry.original());
            ConntrackEntryCodec.zone(out, entry.zone());
            out.bytes(LABELS, on ? mask : new byte[LENGTH]);
            out.bytes(LABELS_MASK, mask);
            out.end(start);
            return out;
          });
      return Outcome.DONE;
    } catch (NetlinkException e) {
      if (e.errno().equals(Errno.ENOENT)) {
        return Outcome.GONE;
      }
      if (e.errno().equals(Errno.ENOSPC)) {
        return Outcome.NO_LABELS;
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

  @Override
  public void close() {
    socket.close();
  }
}
