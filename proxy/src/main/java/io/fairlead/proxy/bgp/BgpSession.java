package io.fairlead.proxy.bgp;

import io.fairlead.api.loadbalancer.BgpPeer;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What one router is to hear. Immutable.
///
/// @param families those whose routes the session can carry
/// @param routes announced to this router
/// @param password signs the session
public record BgpSession(
    BgpPeer peer,
    Set<IpAddress.Family> families,
    SortedSet<Cidr> routes,
    Optional<BgpPassword> password) {
  public BgpSession {
    families = Set.copyOf(families);
    routes = new TreeSet<>(routes);
    if (families.isEmpty()) {
      throw new IllegalArgumentException("a session carries a family: " + peer.name());
    }
  }

  /// A session without a password, yet.
  public BgpSession(BgpPeer peer, Set<IpAddress.Family> families, SortedSet<Cidr> routes) {
    this(peer, families, routes, Optional.empty());
  }

  public String name() {
    return peer.name();
  }

  BgpSession signed(BgpPassword with) {
    return new BgpSession(peer, families, routes, Optional.of(with));
  }

  /// Those of one family.
  SortedSet<Cidr> routes(IpAddress.Family family) {
    return routes.stream()
        .filter(route -> route.family() == family)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// In the order of their names.
  Set<IpAddress.Family> orderedFamilies() {
    return EnumSet.copyOf(families);
  }
}
