package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.Nftables;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.trace.TraceTable;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `checks`: settings of the kernel that decide about packets. Read at most every five seconds.
/// Used by one thread at a time.
final class ChecksDocument {
  private static final long GOOD_FOR = Duration.ofSeconds(5).toNanos();
  private static final SysctlFiles SETTINGS = new SysctlFiles(Path.of("/proc/sys"));
  private static final Path STATISTICS = Path.of("/proc/net/stat/nf_conntrack");
  private static final List<String> NAMES =
      List.of(
          "net.ipv4.ip_forward",
          "net.ipv6.conf.all.forwarding",
          "net.bridge.bridge-nf-call-iptables",
          "net.ipv4.conf.all.rp_filter",
          "net.ipv4.conf.default.rp_filter",
          "net.ipv4.conf.all.route_localnet",
          "net.netfilter.nf_conntrack_acct",
          "net.netfilter.nf_conntrack_timestamp",
          "net.netfilter.nf_conntrack_events",
          "net.netfilter.nf_conntrack_max",
          "net.netfilter.nf_conntrack_count",
          "net.netfilter.nf_conntrack_tcp_be_liberal",
          "net.netfilter.nf_log.2",
          "net.netfilter.nf_log.10",
          "net.ipv4.vs.conntrack",
          "net.ipv4.ip_local_port_range");

  private final Ticker ticker;
  private @Nullable ObjectNode known;
  private long readAt;
  private long lastDropped = -1;

  ChecksDocument(Ticker ticker) {
    this.ticker = ticker;
  }

  ObjectNode answer(String node) {
    ObjectNode document = known;
    if (document == null || ticker.nanos() - readAt > GOOD_FOR) {
      document = read(node);
      dropped((ObjectNode) document.path("conntrack"));
      known = document;
      readAt = ticker.nanos();
    }
    return document.deepCopy();
  }

  /// How many packets found no place in the table since the reading before; null at the first.
  private void dropped(ObjectNode conntrack) {
    if (!conntrack.path("drop").isNumber()) {
      conntrack.putNull("dropped");
      return;
    }
    long now = conntrack.path("drop").asLong() + conntrack.path("earlyDrop").asLong();
    if (lastDropped < 0) {
      conntrack.putNull("dropped");
    } else {
      conntrack.put("dropped", Math.max(0, now - lastDropped));
    }
    lastDropped = now;
  }

  private static ObjectNode read(String node) {
    ObjectNode document = Json.object().put("kind", "NodeChecks").put("node", node);
    ObjectNode sysctls = document.putObject("sysctls");
    for (String name : NAMES) {
      String value = sysctl(name);
      if (value == null) {
        sysctls.putNull(name);
      } else {
        sysctls.put(name, value);
      }
    }
    conntrack(document.putObject("conntrack"));
    ArrayNode leftovers = document.putArray("leftoverTables");
    ArrayNode firewalls = document.putArray("forwardPolicies");
    boolean nftablesRules = false;
    try (Nftables nftables = Nftables.open()) {
      for (NftFamily family : List.of(NftFamily.IP, NftFamily.IP6)) {
        // One that a connection owns is of a trace that runs.
        if (nftables.unownedTables(family).contains(new Table(family, TraceTable.NAME))) {
          leftovers.add(family.word() + " " + TraceTable.NAME);
        }
        Table nat = new Table(family, "nat");
        nftablesRules |=
            nftables.chains(nat).stream().anyMatch(chain -> chain.name().startsWith("KUBE-SVC"));
      }
      ForwardPolicies.writeTo(firewalls, nftables);
    }
    document
        .putObject("iptables")
        .put("nftVariantHoldsServices", nftablesRules)
        .put("legacyTables", Files.exists(Path.of("/proc/net/ip_tables_names")) && legacy());
    return document;
  }

  private static boolean legacy() {
    try {
      return Files.readString(Path.of("/proc/net/ip_tables_names")).contains("nat");
    } catch (IOException e) {
      return false;
    }
  }

  /// The last part of a name may hold dots of its own: `nf_log.2` is a directory and a file.
  private static @Nullable String sysctl(String name) {
    try {
      return SETTINGS.text(name.replace('.', '/'));
    } catch (IOException e) {
      return null;
    }
  }

  private static void conntrack(ObjectNode out) {
    number(out, "count", sysctl("net.netfilter.nf_conntrack_count"));
    number(out, "max", sysctl("net.netfilter.nf_conntrack_max"));
    try {
      List<String> lines = Files.readAllLines(STATISTICS, StandardCharsets.US_ASCII);
      List<String> header = List.of(lines.getFirst().strip().split("\\s+"));
      for (String counter : List.of("drop", "early_drop", "insert_failed")) {
        int column = header.indexOf(counter);
        long sum = 0;
        for (String line : lines.subList(1, lines.size())) {
          sum += Long.parseLong(line.strip().split("\\s+")[column], 16);
        }
        out.put(counter.replace("_d", "D").replace("_f", "F"), sum);
      }
    } catch (IOException | RuntimeException e) {
      out.putNull("drop").putNull("earlyDrop").putNull("insertFailed");
    }
  }

  private static void number(ObjectNode out, String name, @Nullable String value) {
    if (value == null || !value.matches("[0-9]{1,18}")) {
      out.putNull(name);
    } else {
      out.put(name, Long.parseLong(value));
    }
  }
}
