package io.fairlead.proxy.announce;

import io.fairlead.api.loadbalancer.BgpPeer;
import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.api.loadbalancer.LoadBalancerPool.Announcement;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.bgp.BgpConfiguration;
import io.fairlead.proxy.bgp.BgpSession;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Decides what a node tells its routers: which of them it talks to, and the routes each gets.
/// Pure.
///
/// Every node that can carry an address announces it, and the routers spread connections over all
/// of them; so a node needs to know nothing of the others.
final class RoutePlanner {
  /// @param routed the addresses that a router hears of, alone or in a larger network
  record Plan(BgpConfiguration configuration, SortedSet<IpAddress> routed) {
    Plan {
      routed = new TreeSet<>(routed);
    }
  }

  private RoutePlanner() {}

  static Plan plan(
      AnnouncerNode node,
      Map<IpAddress, BalancerAddresses.Carried> carried,
      LoadBalancerPools pools) {
    Map<String, SortedSet<Cidr>> routes = new HashMap<>();
    Map<String, Set<IpAddress.Family>> families = new HashMap<>();
    List<BgpPeer> peers =
        pools.peers().stream()
            .filter(peer -> peer.nodeSelector().matches(node.metadata().labels()))
            .toList();
    for (BgpPeer peer : peers) {
      routes.put(peer.name(), new TreeSet<>());
      families.put(peer.name(), EnumSet.noneOf(IpAddress.Family.class));
    }
    for (LoadBalancerPool pool : pools.usable()) {
      if (pool.announcement() == Announcement.BGP) {
        pool.ranges()
            .forEach(range -> hearing(pool, families).forEach(each -> each.add(range.family())));
      }
    }
    SortedSet<IpAddress> routed = new TreeSet<>();
    carried.forEach(
        (address, each) ->
            pools
                .of(address)
                .filter(pool -> announces(node, pool, each))
                .ifPresent(
                    pool -> {
                      List<SortedSet<Cidr>> listening = hearing(pool, routes);
                      listening.forEach(all -> all.add(route(address, pool)));
                      if (!listening.isEmpty()) {
                        routed.add(address);
                      }
                    }));
    List<BgpSession> sessions = new ArrayList<>();
    for (BgpPeer peer : peers) {
      Set<IpAddress.Family> carries = families.get(peer.name());
      SortedSet<Cidr> all = routes.get(peer.name());
      // A router that no pool is announced to needs no session.
      if (carries != null && !carries.isEmpty() && all != null) {
        sessions.add(new BgpSession(peer, carries, all));
      }
    }
    return new Plan(new BgpConfiguration(routerId(node), sessions), routed);
  }

  /// Of something for each router, those of the routers a pool is announced to.
  private static <T> List<T> hearing(LoadBalancerPool pool, Map<String, T> byPeer) {
    List<String> names = pool.bgp().peers();
    return byPeer.entrySet().stream()
        .filter(each -> names.isEmpty() || names.contains(each.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  private static boolean announces(
      AnnouncerNode node, LoadBalancerPool pool, BalancerAddresses.Carried carried) {
    return pool.announcement() == Announcement.BGP && obstacle(node, pool, carried).isEmpty();
  }

  /// Why a node does not announce an address of a pool; empty when it does.
  private static String obstacle(
      AnnouncerNode node, LoadBalancerPool pool, BalancerAddresses.Carried carried) {
    if (!node.obstacle().isEmpty()) {
      return node.obstacle();
    }
    if (!pool.nodeSelector().matches(node.metadata().labels())) {
      return "is not selected by pool " + pool.name();
    }
    return !carried.local() || hasEndpoint(carried) ? "" : "has no local endpoint";
  }

  /// Endpoints that end count only while there are no others anywhere.
  private static boolean hasEndpoint(BalancerAddresses.Carried carried) {
    return switch (carried.endpoints()) {
      case READY -> true;
      case TERMINATING -> !carried.anyReady();
      case NONE -> false;
    };
  }

  private static Cidr route(IpAddress address, LoadBalancerPool pool) {
    int length = address.isIpv4() ? pool.bgp().ipv4Length() : pool.bgp().ipv6Length();
    return new Cidr(address, length).masked();
  }

  /// The node's own IPv4 address, else a number made of its name: routers only compare it.
  private static IpAddress routerId(AnnouncerNode node) {
    for (String text : node.addresses()) {
      IpAddress address = IpAddress.parseOrNull(text);
      if (address != null && address.isIpv4() && !address.isUnspecified()) {
        return address;
      }
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(node.metadata().key().name().getBytes(StandardCharsets.UTF_8));
      return IpAddress.ipv4((ByteBuffer.wrap(hash).getInt() & 0xffff_ffffL) | 1);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
