package io.fairlead.proxy.trace;

import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.ipvs.IpvsConnection;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.LoggedPacket;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.TracedPacket;
import io.fairlead.kernel.route.RouteLookup;
import io.fairlead.kernel.socket.ConnectResult;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What was seen of one connection. Facts only; [TraceAnalysis] says what they mean.
///
/// @param source the client's side; null when no packet was sent
/// @param route how the client's namespace sends to the destination; empty when no route leads
///   there
/// @param routeLink the name of the interface of that route
/// @param result how the connection came out; null when no packet was sent
/// @param packets what the kernel reported, by packet
/// @param entry what conntrack of the node says of the connection
/// @param rules the rules of each chain a packet was in
/// @param links names of the node's interfaces by number
/// @param lost whether reports were lost
/// @param sysctls settings of the node that decide about packets, by name
/// @param wayBack the interface by which the node sends to the client; empty when it has no route
/// @param ipvs what IPVS says of the connection; empty when it does not carry it
public record TraceEvidence(
    @Nullable InetSocketAddress source,
    InetAddress destination,
    int port,
    Optional<RouteLookup> route,
    String routeLink,
    @Nullable ConnectResult result,
    List<TracedPacket> packets,
    Optional<ConntrackEntry> entry,
    Map<ChainName, List<ListedRule>> rules,
    Map<Integer, String> links,
    boolean lost,
    Map<String, String> sysctls,
    String wayBack,
    Optional<IpvsConnection> ipvs,
    LegacyLog legacy) {

  /// What legacy tables logged of the connection.
  ///
  /// @param rules as `iptables-save` prints them, by table and chain
  public record LegacyLog(List<LoggedPacket> packets, Map<String, List<String>> rules) {
    static final LegacyLog NONE = new LegacyLog(List.of(), Map.of());

    public LegacyLog {
      packets = List.copyOf(packets);
      rules = Map.copyOf(rules);
    }
  }

  /// A chain of a table.
  public record ChainName(Table table, String chain) {}

  /// The name of the setting that says how strictly an interface looks at senders.
  static String reversePathFilter(String link) {
    return "net.ipv4.conf." + link + ".rp_filter";
  }

  public TraceEvidence {
    packets = List.copyOf(packets);
    rules = Map.copyOf(rules);
    links = Map.copyOf(links);
    sysctls = Map.copyOf(sysctls);
  }
}
