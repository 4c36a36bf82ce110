package io.fairlead.controller.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.api.loadbalancer.LoadBalancerPools.ReservedRange;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;

/// Finds an address for a Service, or says why there is none. Changes nothing.
///
/// @param wanted addresses that waiting Services ask for
/// @param contested addresses that nodes say are theirs
record AddressChoice(
    PoolIndex pools,
    HolderIndex holders,
    RestingAddresses resting,
    Map<IpAddress, Set<ObjectKey>> wanted,
    List<ReservedRange> contested,
    LongFunction<String> timeOfDay,
    long now) {
  /// What was found.
  sealed interface Outcome {
    record Chosen(IpAddress address) implements Outcome {}

    /// @param possible whether a pool that it may use has addresses of the family at all
    record Missing(AddressAllocation.Pending why, boolean possible) implements Outcome {}
  }

  Outcome choose(AddressHolding holding, Family family) {
    IpAddress asked = holding.request().addresses().get(family);
    return asked == null ? any(holding, family) : specific(holding, asked);
  }

  private Outcome specific(AddressHolding holding, IpAddress asked) {
    Optional<LoadBalancerPool> pool = pools.of(asked).filter(holding::mayUse);
    if (pool.isEmpty()) {
      return missing("FL401", asked + " is in " + noPool(asked, holding), "", true);
    }
    Optional<ReservedRange> node = claimOf(asked);
    if (node.isPresent() && holders.of(asked).isEmpty()) {
      return missing("FL406", asked + " belongs to " + node.get().owner(), "", true);
    }
    for (AddressHolding other : holders.of(asked)) {
      if (!holding.sharesWith(other, pool)) {
        return missing(
            "FL405",
            asked + " is held by " + other.key() + " on " + other.portInTheWayOf(holding),
            "",
            true);
      }
    }
    if (resting.blocks(asked, holding.key())) {
      String until = timeOfDay.apply(resting.left(asked, now).toNanos());
      return missing(
          "FL400", asked + " was given back a moment ago", "; rests until " + until, true);
    }
    return new Outcome.Chosen(asked);
  }

  private String noPool(IpAddress asked, AddressHolding holding) {
    Optional<LoadBalancerPool> other = pools.of(asked);
    if (other.isPresent()) {
      return "pool "
          + other.get().name()
          + ", which this Service may not use"
          + (holding.request().pool().isEmpty()
              ? ""
              : ": it asks for pool " + holding.request().pool());
    }
    List<String> all = pools.pools().usable().stream().map(Object::toString).toList();
    return "no pool; pools: " + (all.isEmpty() ? "none" : String.join("; ", all));
  }

  private Outcome any(AddressHolding holding, Family family) {
    List<LoadBalancerPool> eligible = new ArrayList<>();
    for (LoadBalancerPool pool : pools.pools().usable()) {
      boolean offered = pool.autoAssign() || !holding.request().pool().isEmpty();
      if (offered && holding.mayUse(pool) && !pools.addresses(pool, family).isEmpty()) {
        eligible.add(pool);
      }
    }
    for (IpAddress own : resting.of(holding.key())) {
      if (own.family() == family
          && eligible.contains(pools.of(own).orElse(null))
          && isUnclaimed(own, holding)) {
        return new Outcome.Chosen(own);
      }
    }
    for (LoadBalancerPool pool : eligible) {
      Optional<IpAddress> found =
          shared(holding, pool, family)
              .or(
                  () ->
                      pools
                          .addresses(pool, family)
                          .lowest(address -> isUnclaimed(address, holding)));
      if (found.isPresent()) {
        return new Outcome.Chosen(found.get());
      }
    }
    return none(holding, eligible, family);
  }

  private Optional<IpAddress> shared(AddressHolding holding, LoadBalancerPool pool, Family family) {
    for (IpAddress address : holders.sharedWith(holding.request().sharingKey())) {
      boolean shareable =
          address.family() == family
              && pool.contains(address)
              && holders.of(address).stream()
                  .allMatch(other -> holding.sharesWith(other, Optional.of(pool)));
      if (shareable) {
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  /// Whether no node says that it has the address, and no other waiting Service asks for exactly
  /// this one.
  private boolean isUnclaimed(IpAddress address, AddressHolding holding) {
    Set<ObjectKey> others = wanted.get(address);
    return (others == null || (others.size() == 1 && others.contains(holding.key())))
        && claimOf(address).isEmpty();
  }

  private Optional<ReservedRange> claimOf(IpAddress address) {
    for (ReservedRange one : contested) {
      if (one.range().contains(address)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  private Outcome none(AddressHolding holding, List<LoadBalancerPool> eligible, Family family) {
    if (eligible.isEmpty()) {
      String named = holding.request().pool();
      String why;
      if (pools.pools().usable().isEmpty()) {
        why = "there is no pool of addresses: give one with --load-balancer-pool";
      } else if (!named.isEmpty() && pools.pools().named(named).isEmpty()) {
        why = "there is no pool " + named;
      } else {
        why = "no pool has " + family + " addresses for this Service";
      }
      return missing("FL400", why, "", false);
    }
    List<String> full = new ArrayList<>();
    for (LoadBalancerPool pool : eligible) {
      PoolAddresses addresses = pools.addresses(pool, family);
      int usable = addresses.usable();
      full.add(pool.name() + " (" + (usable - addresses.free()) + " of " + usable + " held");
    }
    String next =
        resting
            .next(now)
            .map(left -> "; next rests until " + timeOfDay.apply(left.toNanos()) + ")")
            .orElse(")");
    return missing("FL400", "no address left in pool " + String.join("), ", full), next, true);
  }

  private static Outcome missing(String code, String message, String detail, boolean possible) {
    return new Outcome.Missing(new AddressAllocation.Pending(code, message, detail), possible);
  }
}
