package io.fairlead.proxy.bgp;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// What a node says to all its routers. Immutable.
///
/// @param routerId an IPv4 address that no other node has; it need not be reachable
/// @param sessions by the names of their routers; none: nothing is to run
public record BgpConfiguration(IpAddress routerId, List<BgpSession> sessions) {
  /// No router at all.
  public static final BgpConfiguration NONE = new BgpConfiguration(IpAddress.ipv4(1), List.of());

  public BgpConfiguration {
    if (!routerId.isIpv4() || routerId.isUnspecified()) {
      throw new IllegalArgumentException("no router id: " + routerId);
    }
    sessions = sessions.stream().sorted(Comparator.comparing(BgpSession::name)).toList();
    if (sessions.stream().map(BgpSession::name).distinct().count() != sessions.size()) {
      throw new IllegalArgumentException("two sessions of one name");
    }
  }

  /// The routes that any router hears of, in one family.
  SortedSet<Cidr> routes(IpAddress.Family family) {
    SortedSet<Cidr> all = new TreeSet<>();
    sessions.forEach(session -> all.addAll(session.routes(family)));
    return all;
  }
}
