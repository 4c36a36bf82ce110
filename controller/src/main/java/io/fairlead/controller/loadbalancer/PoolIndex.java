package io.fairlead.controller.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The pools of one moment with what is taken of them. Owned by an [BalancerAddressTable].
final class PoolIndex {
  private final LoadBalancerPools pools;
  private final Map<String, Map<Family, PoolAddresses>> addresses = new LinkedHashMap<>();

  PoolIndex(LoadBalancerPools pools) {
    this.pools = pools;
    for (LoadBalancerPool pool : pools.usable()) {
      Map<Family, PoolAddresses> families = new EnumMap<>(Family.class);
      for (Family family : Family.values()) {
        families.put(family, new PoolAddresses(pool, family));
      }
      addresses.put(pool.name(), families);
    }
  }

  LoadBalancerPools pools() {
    return pools;
  }

  Optional<LoadBalancerPool> of(IpAddress address) {
    return pools.of(address);
  }

  /// The name of the pool that has the address; empty when none has.
  String nameOf(IpAddress address) {
    return of(address).map(LoadBalancerPool::name).orElse("");
  }

  PoolAddresses addresses(LoadBalancerPool pool, Family family) {
    Map<Family, PoolAddresses> families = addresses.get(pool.name());
    PoolAddresses found = families == null ? null : families.get(family);
    if (found == null) {
      throw new IllegalArgumentException("no pool " + pool.name());
    }
    return found;
  }

  void take(IpAddress address) {
    of(address).ifPresent(pool -> addresses(pool, address.family()).take(address));
  }

  void free(IpAddress address) {
    of(address).ifPresent(pool -> addresses(pool, address.family()).free(address));
  }

  /// Whether no pool has a free address.
  boolean isFull() {
    for (Map<Family, PoolAddresses> families : addresses.values()) {
      for (PoolAddresses family : families.values()) {
        if (family.free() > 0) {
          return false;
        }
      }
    }
    return true;
  }

  /// By pool: free, held, resting.
  Map<String, long[]> counts(RestingAddresses resting) {
    Map<String, long[]> counts = new LinkedHashMap<>();
    addresses.forEach(
        (name, families) -> {
          long free = 0;
          long usable = 0;
          for (PoolAddresses family : families.values()) {
            free += family.free();
            usable += family.usable();
          }
          counts.put(name, new long[] {free, usable - free, 0});
        });
    for (IpAddress address : resting.all()) {
      long[] of = counts.get(nameOf(address));
      if (of != null) {
        of[1]--;
        of[2]++;
      }
    }
    return counts;
  }
}
