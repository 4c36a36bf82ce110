package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The connections of one front to one endpoint, counted as they are listed.
///
/// Of each only its number and how many bytes it carried are kept, twenty bytes, to tell at the
/// next listing which are new.
final class FlowTally {
  private static final int MOST_CLIENTS = 256;
  private static final String[] STATES = {
    "NONE",
    "SYN_SENT",
    "SYN_RECV",
    "ESTABLISHED",
    "FIN_WAIT",
    "CLOSE_WAIT",
    "LAST_ACK",
    "TIME_WAIT",
    "CLOSE",
    "SYN_SENT2"
  };

  private final Map<String, Integer> states = new TreeMap<>();
  private final Map<InetAddress, Integer> clients = new HashMap<>();
  private final Map<InetAddress, Integer> sources = new HashMap<>();
  private int[] ids = new int[8];
  private long[] in = new long[8];
  private long[] out = new long[8];
  private int size;
  private int active;
  private boolean counted = true;
  private long oldest;
  private int older;
  private boolean aged = true;

  /// @param before nanoseconds since the epoch; how many began before that is counted
  void add(ConntrackEntry entry, long before) {
    if (size == ids.length) {
      ids = Arrays.copyOf(ids, size * 2);
      in = Arrays.copyOf(in, size * 2);
      out = Arrays.copyOf(out, size * 2);
    }
    ids[size] = entry.id();
    ConntrackEntry.Volume sent = entry.sent();
    ConntrackEntry.Volume answered = entry.answered();
    counted &= sent != null && answered != null;
    in[size] = sent == null ? 0 : sent.bytes();
    out[size] = answered == null ? 0 : answered.bytes();
    size++;
    if (sources.size() < MOST_CLIENTS || sources.containsKey(entry.original().source())) {
      sources.merge(entry.original().source(), 1, Integer::sum);
    }
    boolean tcp = entry.original().protocol() == ConntrackTuple.TCP;
    if (tcp) {
      states.merge(STATES[Math.min(entry.tcpState(), STATES.length - 1)], 1, Integer::sum);
    }
    if (!tcp || entry.openTcp()) {
      active++;
      aged &= entry.startedNanos() != 0;
      older += entry.startedNanos() != 0 && entry.startedNanos() < before ? 1 : 0;
      if (entry.startedNanos() != 0 && (oldest == 0 || entry.startedNanos() < oldest)) {
        oldest = entry.startedNanos();
      }
      if (clients.size() < MOST_CLIENTS || clients.containsKey(entry.original().source())) {
        clients.merge(entry.original().source(), 1, Integer::sum);
      }
    }
  }

  int active() {
    return active;
  }

  /// Where the tracked connections come from, those that ended lately too.
  Map<InetAddress, Integer> sources() {
    return sources;
  }

  Map<InetAddress, Integer> clients() {
    return clients;
  }

  /// Sorts by number, so that the next listing finds each again.
  void close() {
    Integer[] order = new Integer[size];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (one, other) -> Integer.compare(ids[one], ids[other]));
    int[] sortedIds = new int[size];
    long[] sortedIn = new long[size];
    long[] sortedOut = new long[size];
    for (int i = 0; i < size; i++) {
      sortedIds[i] = ids[order[i]];
      sortedIn[i] = in[order[i]];
      sortedOut[i] = out[order[i]];
    }
    ids = sortedIds;
    in = sortedIn;
    out = sortedOut;
  }

  /// @param before what was listed the last time; null when that was not asked for
  void writeTo(ObjectNode document, @Nullable FlowTally before, long nowNanos) {
    document.put("active", active).put("total", size);
    ObjectNode byState = document.putObject("states");
    states.forEach(byState::put);
    if (oldest == 0) {
      document.putNull("oldestSeconds");
    } else {
      document.put("oldestSeconds", Math.max(0, (nowNanos - oldest) / 1_000_000_000));
    }
    if (aged) {
      document.put("older", older);
    } else {
      document.putNull("older");
    }
    document.put("clients", clients.size());
    if (before == null) {
      document.putNull("begun").putNull("ended");
      document.putNull("inBytes").putNull("outBytes");
      return;
    }
    int begun = 0;
    int kept = 0;
    long received = 0;
    long sent = 0;
    for (int i = 0; i < size; i++) {
      int at = Arrays.binarySearch(before.ids, 0, before.size, ids[i]);
      if (at < 0) {
        begun++;
        received += in[i];
        sent += out[i];
      } else {
        kept++;
        received += Math.max(0, in[i] - before.in[at]);
        sent += Math.max(0, out[i] - before.out[at]);
      }
    }
    document.put("begun", begun).put("ended", before.size - kept);
    if (counted) {
      document.put("inBytes", received).put("outBytes", sent);
    } else {
      document.putNull("inBytes").putNull("outBytes");
    }
  }

  static ObjectNode raw(ConntrackEntry entry) {
    return Json.object()
        .put("protocol", entry.original().protocol())
        .put("source", entry.original().source().getHostAddress())
        .put("sourcePort", entry.original().sourcePort())
        .put("destination", entry.original().destination().getHostAddress())
        .put("destinationPort", entry.original().destinationPort())
        .put("replySource", entry.reply().source().getHostAddress())
        .put("replySourcePort", entry.reply().sourcePort())
        .put("replySeen", entry.answeredAtAll())
        .put("tcpState", entry.tcpState());
  }
}
