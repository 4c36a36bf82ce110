package io.fairlead.api.loadbalancer;

import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All pools that can be used, and why the others cannot. Immutable.
///
/// One bad pool does not disable the others.
///
/// @param usable in the order they are used
/// @param refused with the reason
public record LoadBalancerPools(
    List<LoadBalancerPool> usable, List<RefusedPool> refused, List<BgpPeer> peers) {
  /// No pool at all.
  public static final LoadBalancerPools NONE =
      new LoadBalancerPools(List.of(), List.of(), List.of());

  /// Where the pools that are in force are published, for announcers on nodes.
  public static final String PUBLISHED_NAMESPACE = "kube-public";

  /// The name of the ConfigMap there.
  public static final String PUBLISHED_NAME = "fairlead-load-balancer";

  /// Its key.
  public static final String PUBLISHED_FILE = "pools.yaml";

  /// A pool that is not used.
  ///
  /// @param why a sentence without the pool's name
  public record RefusedPool(String name, String why) {
    /// `pool lan: 192.168.1.11-192.168.1.20 contains 192.168.1.11 of node a`.
    @Override
    public String toString() {
      return "pool " + name + ": " + why;
    }
  }

  /// Addresses that belong to the cluster itself.
  ///
  /// @param owner `node a`
  public record ReservedRange(PoolRange range, String owner) {}

  public LoadBalancerPools {
    usable = usable.stream().sorted().toList();
    refused = List.copyOf(refused);
    peers = List.copyOf(peers);
  }

  public boolean isEmpty() {
    return usable.isEmpty() && refused.isEmpty();
  }

  public Optional<LoadBalancerPool> named(String name) {
    return usable.stream().filter(pool -> pool.name().equals(name)).findFirst();
  }

  /// The pool that has this address.
  public Optional<LoadBalancerPool> of(IpAddress address) {
    for (LoadBalancerPool pool : usable) {
      if (pool.contains(address)) {
        return Optional.of(pool);
      }
    }
    return Optional.empty();
  }

  /// The first pool that has an address of this range.
  public Optional<LoadBalancerPool> overlapping(PoolRange range) {
    return usable.stream()
        .filter(pool -> pool.ranges().stream().anyMatch(range::overlaps))
        .findFirst();
  }

  /// These and those of a file, which win where a name is in both.
  public LoadBalancerPools with(LoadBalancerPools file) {
    Map<String, LoadBalancerPool> all = new LinkedHashMap<>();
    usable.forEach(pool -> all.put(pool.name(), pool));
    file.refused().forEach(pool -> all.remove(pool.name()));
    file.usable().forEach(pool -> all.put(pool.name(), pool));
    List<RefusedPool> bad = new ArrayList<>(refused);
    bad.addAll(file.refused());
    List<BgpPeer> routers = new ArrayList<>(peers);
    routers.addAll(file.peers());
    return new LoadBalancerPools(List.copyOf(all.values()), bad, routers);
  }

  /// Names that are in both.
  public List<String> namesAlsoIn(LoadBalancerPools file) {
    return usable.stream()
        .map(LoadBalancerPool::name)
        .filter(name -> file.named(name).isPresent())
        .toList();
  }

  /// The same without pools that overlap another one or hold an address that belongs to the
  /// cluster. Of two that overlap, the one that is used first stays.
  public LoadBalancerPools checked(List<ReservedRange> reserved) {
    return checked(reserved, List.of(), NONE);
  }

  /// The same, where nodes say themselves what is theirs: that refuses a pool, but not one that had
  /// the address before. Else any node could end the announcement of all addresses.
  ///
  /// @param ofNodes what nodes report as theirs
  /// @param before the pools that were in force until now
  public LoadBalancerPools checked(
      List<ReservedRange> reserved, List<ReservedRange> ofNodes, LoadBalancerPools before) {
    List<LoadBalancerPool> good = new ArrayList<>();
    List<RefusedPool> bad = new ArrayList<>(refused);
    for (LoadBalancerPool pool : usable) {
      List<ReservedRange> all = new ArrayList<>(reserved);
      ofNodes.stream().filter(one -> !before.has(pool.name(), one.range())).forEach(all::add);
      Optional<String> why = reserved(pool, all).or(() -> overlap(pool, good));
      if (why.isPresent()) {
        bad.add(new RefusedPool(pool.name(), why.get()));
      } else {
        good.add(pool);
      }
    }
    return new LoadBalancerPools(good, bad, peers);
  }

  private boolean has(String name, PoolRange range) {
    return named(name).filter(pool -> pool.ranges().stream().anyMatch(range::overlaps)).isPresent();
  }

  /// The same without pools announced by BGP for which there is no router, or that name one which
  /// is not there.
  public LoadBalancerPools withKnownPeers() {
    List<LoadBalancerPool> good = new ArrayList<>();
    List<RefusedPool> bad = new ArrayList<>(refused);
    for (LoadBalancerPool pool : usable) {
      Optional<String> why =
          pool.announcement() == LoadBalancerPool.Announcement.BGP
              ? unknownPeer(pool)
              : Optional.empty();
      if (why.isPresent()) {
        bad.add(new RefusedPool(pool.name(), why.get()));
      } else {
        good.add(pool);
      }
    }
    return new LoadBalancerPools(good, bad, peers);
  }

  private Optional<String> unknownPeer(LoadBalancerPool pool) {
    if (peers.isEmpty()) {
      return Optional.of("announce is bgp, and there are no peers");
    }
    return pool.bgp().peers().stream()
        .filter(name -> peers.stream().noneMatch(peer -> peer.name().equals(name)))
        .findFirst()
        .map(name -> "there is no peer " + name);
  }

  private static Optional<String> reserved(LoadBalancerPool pool, List<ReservedRange> reserved) {
    for (PoolRange range : pool.ranges()) {
      // The lowest address first, so that the message does not depend on the order of objects.
      Optional<ReservedRange> taken =
          reserved.stream()
              .filter(one -> one.range().overlaps(range))
              .min(Comparator.comparing(ReservedRange::range));
      if (taken.isPresent()) {
        return Optional.of(
            range + " contains " + taken.get().range() + " of " + taken.get().owner());
      }
    }
    return Optional.empty();
  }

  private static Optional<String> overlap(LoadBalancerPool pool, List<LoadBalancerPool> others) {
    for (LoadBalancerPool other : others) {
      for (PoolRange range : pool.ranges()) {
        for (PoolRange theirs : other.ranges()) {
          if (range.overlaps(theirs)) {
            return Optional.of(range + " overlaps " + theirs + " of pool " + other.name());
          }
        }
      }
    }
    return Optional.empty();
  }
}
