package io.fairlead.proxy.iptables;

import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkException;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.netlink.NetlinkSocket;
import io.fairlead.kernel.syscall.Errno;
import io.fairlead.kernel.syscall.SystemCallException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The named counters of the kernel (`nfnetlink_acct`) that two kinds of rules refer to. They must
/// exist before such a rule is written.
public final class NfacctCounters {
  private static final int SUBSYSTEM = 7;
  // linux/netfilter/nfnetlink_acct.h
  private static final int NEW = 0;
  private static final int GET = 1;
  private static final int DELETE = 3;
  private static final int NAME = 1;
  private static final int PACKETS = 2;
  private static final int NETFILTER_HEADER = 4;

  private static final List<String> COUNTERS =
      List.of(IptablesSettings.INVALID_COUNTER, IptablesSettings.LOCALHOST_COUNTER);

  private NfacctCounters() {}

  /// Makes the counters where they are missing, in the network namespace of this thread. False when
  /// the kernel cannot: then rules go without them.
  public static boolean prepare() {
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkConstants.NETFILTER)) {
      for (String counter : COUNTERS) {
        create(socket, counter);
      }
      return true;
    } catch (SystemCallException _) {
      return false;
    }
  }

  private static void create(NetlinkSocket socket, String counter) {
    try {
      request(socket, counter, NEW, NetlinkConstants.FLAG_CREATE);
    } catch (NetlinkException e) {
      // nfnl_acct_new answers EBUSY for a counter that exists, EEXIST only to NLM_F_EXCL.
      if (!e.errno().equals(Errno.EBUSY)) {
        throw e;
      }
    }
  }

  /// Takes away those counters that no rule refers to any more, in the network namespace of this
  /// thread. The kernel lets go of a rule a moment after it was removed.
  ///
  /// @param kept names of those that stay all the same
  /// @return whether none is left but those
  public static boolean remove(Collection<String> kept) {
    if (kept.containsAll(read().keySet())) {
      return true;
    }
    boolean all = true;
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkConstants.NETFILTER)) {
      for (String counter : COUNTERS) {
        all &= kept.contains(counter) || delete(socket, counter);
      }
    }
    return all;
  }

  private static boolean delete(NetlinkSocket socket, String counter) {
    try {
      request(socket, counter, DELETE, 0);
      return true;
    } catch (NetlinkException e) {
      if (e.isNotFound()) {
        return true;
      }
      if (e.errno().equals(Errno.EBUSY)) {
        return false;
      }
      throw e;
    }
  }

  private static void request(NetlinkSocket socket, String counter, int what, int flags) {
    socket.request(
        "counter " + counter,
        sequence -> {
          NetlinkMessageWriter writer = socket.writer();
          int message =
              writer.beginNetfilter(
                  SUBSYSTEM,
                  what,
                  NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_ACK | flags,
                  sequence,
                  0,
                  0);
          writer.string(NAME, counter);
          writer.end(message);
          return writer;
        });
  }

  /// How many packets each counter has seen; without those the kernel does not have.
  public static Map<String, Long> read() {
    Map<String, Long> counts = new HashMap<>();
    try (NetlinkSocket socket = NetlinkSocket.open(NetlinkConstants.NETFILTER)) {
      socket.dump(
          "counters",
          sequence -> {
            NetlinkMessageWriter writer = socket.writer();
            int message =
                writer.beginNetfilter(
                    SUBSYSTEM,
                    GET,
                    NetlinkConstants.FLAG_REQUEST | NetlinkConstants.FLAG_DUMP,
                    sequence,
                    0,
                    0);
            writer.end(message);
            return writer;
          },
          () -> {
            counts.clear();
            return messages -> {
              String name = "";
              long packets = 0;
              var attributes = messages.attributes(NETFILTER_HEADER);
              while (attributes.next()) {
                switch (attributes.type()) {
                  case NAME -> name = attributes.string();
                  case PACKETS -> packets = attributes.be64();
                  default -> {}
                }
              }
              counts.put(name, packets);
            };
          });
    } catch (SystemCallException _) {
      return Map.of();
    }
    counts.keySet().retainAll(COUNTERS);
    return counts;
  }
}
