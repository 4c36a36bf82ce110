package io.fairlead.proxy.bgp;

import io.fairlead.api.loadbalancer.BgpPeer;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.SortedSet;
import java.util.StringJoiner;

/// The configuration of BIRD 2 as text. Pure.
///
/// How it works: all routes stand in tables of their own, which no other protocol of BIRD reads, so
/// that none of them reaches the kernel; each router gets those of them that are for it, and
/// nothing that a router sends is imported. Only typed values become text: numbers, addresses, the
/// password between quotation marks it cannot contain, and names of `[a-z0-9_]`.
public final class BirdConfiguration {
  private static final String PEER = "fairlead_peer_";
  private static final String FILTER = "fairlead_to";
  private static final String LOG = "bird.log";
  private static final int LOG_BYTES = 1 << 20;

  private BirdConfiguration() {}

  /// Everything, for a BIRD of our own.
  public static String whole(BgpConfiguration of) {
    return """
        log "%1$s" %2$d "%1$s.1" { info, warning, error, fatal, bug, auth };
        router id %3$s;
        protocol device fairlead_device { }
        protocol bfd fairlead_bfd {
          interface "*" { interval 100 ms; multiplier 3; };
          multihop { interval 100 ms; multiplier 3; };
        }
        """
            .formatted(LOG, LOG_BYTES, of.routerId())
        + included(of);
  }

  /// What the configuration of the machine's own BIRD includes: it has the protocols `device` and
  /// `bfd` and the router's id itself.
  public static String included(BgpConfiguration of) {
    StringBuilder text = new StringBuilder("# Written by Fairlead; changes are lost.\n");
    for (IpAddress.Family family : IpAddress.Family.values()) {
      routes(text, family, of.routes(family));
    }
    for (BgpSession session : of.sessions()) {
      session(text, session, of);
    }
    return text.toString();
  }

  private static void routes(StringBuilder text, IpAddress.Family family, SortedSet<Cidr> routes) {
    text.append("%s table %s;\n".formatted(channel(family), table(family)));
    text.append("protocol static fairlead_routes%s {\n".formatted(number(family)));
    text.append("  %s { table %s; };\n".formatted(channel(family), table(family)));
    routes.forEach(route -> text.append("  route %s blackhole;\n".formatted(route)));
    text.append("}\n");
  }

  private static void session(StringBuilder text, BgpSession session, BgpConfiguration of) {
    BgpPeer peer = session.peer();
    for (IpAddress.Family family : session.orderedFamilies()) {
      filter(text, session, family, of.routes(family));
    }
    text.append("protocol bgp %s {\n".formatted(symbol(peer.name())));
    text.append("  local as %d;\n".formatted(peer.myAsn()));
    text.append("  neighbor %s as %d;\n".formatted(peer.address(), peer.asn()));
    text.append("  hold time %d;\n".formatted(peer.holdSeconds()));
    text.append("  keepalive time %d;\n".formatted(peer.keepaliveSeconds()));
    text.append("  connect delay time 1;\n  connect retry time 5;\n  error wait time 1, 30;\n");
    // The routes of a node that is dead must go.
    text.append("  graceful restart off;\n");
    session.password().ifPresent(it -> text.append("  password \"%s\";\n".formatted(it.text())));
    if (peer.ebgpMultihop() > 0) {
      text.append("  multihop %d;\n".formatted(peer.ebgpMultihop()));
    } else if (peer.asn() != peer.myAsn()) {
      text.append("  direct;\n");
    }
    if (peer.bfd()) {
      text.append("  bfd on;\n");
    }
    for (IpAddress.Family family : session.orderedFamilies()) {
      text.append(
          "  %s { table %s; import none; export filter %s; next hop self; };\n"
              .formatted(channel(family), table(family), filterName(session, family)));
    }
    text.append("}\n");
  }

  /// A router that gets all routes has a filter that stays the same when routes change.
  private static void filter(
      StringBuilder text, BgpSession session, IpAddress.Family family, SortedSet<Cidr> all) {
    SortedSet<Cidr> own = session.routes(family);
    text.append("filter %s {\n".formatted(filterName(session, family)));
    if (own.isEmpty() && !all.isEmpty()) {
      text.append("  reject;\n}\n");
      return;
    }
    if (!own.equals(all)) {
      StringJoiner nets = new StringJoiner(", ", "[ ", " ]");
      own.forEach(route -> nets.add(route.toString()));
      text.append("  if net !~ %s then reject;\n".formatted(nets));
    }
    for (BgpPeer.Community community : session.peer().communities()) {
      text.append("  bgp_community.add((%d,%d));\n".formatted(community.high(), community.low()));
    }
    if (session.peer().localPref() > 0) {
      text.append("  bgp_local_pref = %d;\n".formatted(session.peer().localPref()));
    }
    text.append("  accept;\n}\n");
  }

  private static String filterName(BgpSession session, IpAddress.Family family) {
    return FILTER + number(family) + "_" + word(session.name());
  }

  private static String table(IpAddress.Family family) {
    return "fairlead" + number(family);
  }

  private static String channel(IpAddress.Family family) {
    return "ipv" + number(family);
  }

  private static String number(IpAddress.Family family) {
    return family == IpAddress.Family.IPV4 ? "4" : "6";
  }

  /// The name of a router's protocol.
  static String symbol(String peer) {
    return PEER + word(peer);
  }

  /// The pattern of all of them, for questions.
  static String symbols() {
    return PEER + "*";
  }

  /// The router's name again; a name has no underscore, so none is lost.
  static String peer(String symbol) {
    return symbol.substring(PEER.length()).replace('_', '-');
  }

  /// Letters, digits and hyphens are checked where peers are read; here once more, for what else
  /// would come must not reach the file.
  private static String word(String name) {
    if (!BgpPeer.isName(name)) {
      throw new IllegalArgumentException("no name of a peer: " + name);
    }
    return name.replace('-', '_');
  }
}
