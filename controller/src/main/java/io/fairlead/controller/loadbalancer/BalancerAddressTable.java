package io.fairlead.controller.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.api.loadbalancer.LoadBalancerPools;
import io.fairlead.api.loadbalancer.LoadBalancerPools.ReservedRange;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Who holds which address, and who gets the next one.
///
/// How it works: what a Service holds stays while it is legal; a request, a pool or a sharing key
/// that changed can make it illegal. Then pools are asked in their order for the lowest free
/// address that has rested. A Service for which there is nothing waits; when something becomes
/// free, [#wake] gives it to those that wait: first to requests for a specific address, then to the
/// oldest. A decision costs the same whatever the number of Services: a bit for each address says
/// whether it is taken.
///
/// After a restart the addresses in statuses are [claimed][#claim], oldest Service first, before
/// anything is allocated; so no address is ever given away that a Service has.
///
/// Guarded by its own lock, held for memory work only. It knows no API.
final class BalancerAddressTable {
  private final LongFunction<String> timeOfDay;

  // All guarded by this.
  private final Map<ObjectKey, AddressHolding> holdings = new HashMap<>();
  private final HolderIndex holders = new HolderIndex();
  private final RestingAddresses resting = new RestingAddresses();
  private final TreeSet<AddressHolding> waiting = new TreeSet<>();
  // Which waiting Services ask for an address.
  private final Map<IpAddress, Set<ObjectKey>> wanted = new HashMap<>();
  private final Map<ObjectKey, Set<ObjectKey>> conflicts = new HashMap<>();
  private PoolIndex pools = new PoolIndex(LoadBalancerPools.NONE);
  private List<ReservedRange> contested = List.of();
  private boolean freed;
  private long allocations;

  /// @param timeOfDay says when that many nanoseconds from now are over, as people read it
  BalancerAddressTable(LongFunction<String> timeOfDay) {
    this.timeOfDay = timeOfDay;
  }

  /// What is there now, for metrics.
  ///
  /// @param counts by pool: free, held, resting
  record Statistics(Map<String, long[]> counts, int pending, long allocations) {}

  /// Changes the pools. What Services hold they keep. Returns those whose addresses are in another
  /// pool now, or in none.
  ///
  /// @param ofNodes addresses of these pools that nodes say are theirs: no Service gets them that
  ///   has none of them yet
  synchronized Set<ObjectKey> pools(LoadBalancerPools now, List<ReservedRange> ofNodes) {
    PoolIndex before = pools;
    pools = new PoolIndex(now);
    contested = List.copyOf(ofNodes);
    Set<ObjectKey> affected = new LinkedHashSet<>();
    for (IpAddress address : holders.addresses()) {
      pools.take(address);
      if (!before.nameOf(address).equals(pools.nameOf(address))) {
        holders.of(address).forEach(holding -> affected.add(holding.key()));
      }
    }
    resting.all().forEach(pools::take);
    freed = true;
    return affected;
  }

  synchronized LoadBalancerPools pools() {
    return pools.pools();
  }

  /// Notes that a Service has the addresses of its status. An address that another one holds and
  /// that cannot be shared is not taken; the next [#allocate] tells of the conflict.
  synchronized void claim(BalancedService service, Map<String, String> namespaceLabels) {
    if (holdings.containsKey(service.key())) {
      return;
    }
    AddressHolding holding = new AddressHolding(service, namespaceLabels);
    holdings.put(service.key(), holding);
    for (IpAddress address : service.ingressAddresses()) {
      Optional<LoadBalancerPool> pool = pools.of(address);
      boolean ours = pool.isPresent() || !service.allocatedFrom().isEmpty();
      if (!ours || holding.address(address.family()).isPresent()) {
        continue;
      }
      AddressHolding other = inTheWay(holding, address, holders.of(address));
      if (other == null) {
        take(holding, address);
      } else {
        conflicts.computeIfAbsent(service.key(), _ -> new LinkedHashSet<>()).add(other.key());
      }
    }
  }

  /// Decides what a Service has from now on.
  synchronized AddressAllocation allocate(
      BalancedService service, Map<String, String> namespaceLabels, long now) {
    AddressHolding holding = holdings.get(service.key());
    if (holding != null && !holding.service().metadata().uid().equals(service.metadata().uid())) {
      release(service.key(), now);
      holding = null;
    }
    endWaiting(holding);
    Set<ObjectKey> affected = new LinkedHashSet<>();
    if (holding == null) {
      holding = new AddressHolding(service, namespaceLabels);
      holdings.put(service.key(), holding);
    } else {
      holders.rename(holding, service, namespaceLabels, affected);
    }
    return decide(holding, affected, now);
  }

  /// Tries those that wait, in their order, for what has become free. Returns those that got
  /// something: they have it already, and are to be looked at to be told.
  synchronized List<ObjectKey> wake(long now) {
    for (IpAddress address : resting.endAllDue(now)) {
      pools.free(address);
      freed = true;
    }
    List<ObjectKey> served = new ArrayList<>();
    if (!freed) {
      return served;
    }
    freed = false;
    for (AddressHolding holding : List.copyOf(waiting)) {
      if (!holding.isSpecific() && pools.isFull()) {
        break;
      }
      int before = holding.addresses().size();
      endWaiting(holding);
      decide(holding, new HashSet<>(), now);
      if (holding.addresses().size() > before) {
        served.add(holding.key());
      }
    }
    return served;
  }

  /// When [#wake] is worth a call again because an address has rested; empty when none waits.
  synchronized Optional<java.time.Duration> nextRest(long now) {
    return waiting.isEmpty() ? Optional.empty() : resting.next(now);
  }

  /// The Service is gone, or is not ours any more.
  synchronized void release(ObjectKey service, long now) {
    AddressHolding holding = holdings.remove(service);
    conflicts.remove(service);
    if (holding != null) {
      endWaiting(holding);
      List.copyOf(holding.addresses()).forEach(address -> drop(holding, address, now));
    }
  }

  /// What a Service holds.
  synchronized List<IpAddress> held(ObjectKey service) {
    AddressHolding holding = holdings.get(service);
    return holding == null ? List.of() : List.copyOf(holding.addresses());
  }

  /// Who holds an address.
  synchronized List<ObjectKey> holdersOf(IpAddress address) {
    return holders.of(address).stream().map(AddressHolding::key).toList();
  }

  /// Whether another Service holds it too.
  synchronized boolean isShared(IpAddress address) {
    return holders.of(address).size() > 1;
  }

  synchronized boolean knows(ObjectKey service) {
    return holdings.containsKey(service);
  }

  synchronized Statistics statistics() {
    return new Statistics(pools.counts(resting), waiting.size(), allocations);
  }

  private AddressAllocation decide(AddressHolding holding, Set<ObjectKey> affected, long now) {
    for (IpAddress address : List.copyOf(holding.addresses())) {
      if (!isLegal(holding, address)) {
        drop(holding, address, now);
      }
    }
    AddressRequest request = holding.request();
    AddressAllocation.Pending pending = AddressAllocation.COMPLETE;
    boolean more = false;
    if (request.problem() != null) {
      pending = new AddressAllocation.Pending("FL401", request.problem(), "");
    } else {
      AddressChoice choice =
          new AddressChoice(pools, holders, resting, wanted, contested, timeOfDay, now);
      boolean had = !holding.addresses().isEmpty();
      for (IpAddress.Family family : request.families()) {
        if (holding.address(family).isPresent()) {
          continue;
        }
        switch (choice.choose(holding, family)) {
          case AddressChoice.Outcome.Chosen(IpAddress address) -> {
            take(holding, address);
            allocations++;
          }
          case AddressChoice.Outcome.Missing(var why, boolean possible) -> {
            more |= possible || !request.addresses().isEmpty();
            pending = pending.isComplete() ? why : pending;
          }
        }
      }
      if (!pending.isComplete() && !request.all() && !holding.addresses().isEmpty()) {
        // One family is enough; the other is added when there is one.
        pending = AddressAllocation.COMPLETE;
      } else if (!pending.isComplete() && request.all() && !had) {
        List.copyOf(holding.addresses()).forEach(address -> giveBack(holding, address));
        more = true;
      } else if (!pending.isComplete()) {
        more = true;
      }
      if (more) {
        beginWaiting(holding);
      }
    }
    return result(holding, pending, affected);
  }

  private AddressAllocation result(
      AddressHolding holding, AddressAllocation.Pending pending, Set<ObjectKey> affected) {
    List<IpAddress> addresses = new ArrayList<>(2);
    Set<String> names = new LinkedHashSet<>();
    List<IpAddress> outside = new ArrayList<>(0);
    for (IpAddress.Family family : holding.request().families()) {
      Optional<IpAddress> held = holding.address(family);
      if (held.isPresent()) {
        addresses.add(held.get());
        String name = pools.nameOf(held.get());
        if (name.isEmpty()) {
          outside.add(held.get());
        } else {
          names.add(name);
        }
      }
    }
    Set<ObjectKey> against = conflicts.remove(holding.key());
    return new AddressAllocation(
        addresses,
        List.copyOf(names),
        outside,
        pending,
        against == null ? Set.of() : against,
        affected);
  }

  private boolean isLegal(AddressHolding holding, IpAddress address) {
    AddressRequest request = holding.request();
    IpAddress asked = request.addresses().get(address.family());
    Optional<LoadBalancerPool> pool = pools.of(address);
    if (request.problem() != null
        || !request.families().contains(address.family())
        || (asked != null && !asked.equals(address))
        || (!request.pool().isEmpty()
            && !pool.map(LoadBalancerPool::name).orElse("").equals(request.pool()))
        || (pool.isEmpty()
            && holding.service().annotation(AddressRequest.REASSIGN).equals("true"))) {
      return false;
    }
    // Of two that cannot share, the older one keeps the address.
    List<AddressHolding> older =
        holders.of(address).stream()
            .filter(other -> other != holding)
            .filter(other -> other.service().compareTo(holding.service()) < 0)
            .toList();
    return inTheWay(holding, address, older) == null;
  }

  /// The first of the others that does not share an address with it.
  private @Nullable AddressHolding inTheWay(
      AddressHolding holding, IpAddress address, List<AddressHolding> others) {
    Optional<LoadBalancerPool> pool = pools.of(address);
    for (AddressHolding other : others) {
      if (other != holding && !holding.sharesWith(other, pool)) {
        return other;
      }
    }
    return null;
  }

  private void take(AddressHolding holding, IpAddress address) {
    resting.end(address);
    pools.take(address);
    holders.add(holding, address);
  }

  private void drop(AddressHolding holding, IpAddress address, long now) {
    holders.remove(holding, address);
    freed = true;
    if (holders.of(address).isEmpty()) {
      resting.begin(address, holding.key(), now);
    }
  }

  /// Undoes a choice that the Service never learns of.
  private void giveBack(AddressHolding holding, IpAddress address) {
    holders.remove(holding, address);
    if (holders.of(address).isEmpty()) {
      pools.free(address);
    }
  }

  private void beginWaiting(AddressHolding holding) {
    waiting.add(holding);
    for (IpAddress address : holding.request().addresses().values()) {
      if (!holding.addresses().contains(address)) {
        wanted.computeIfAbsent(address, _ -> new HashSet<>(1)).add(holding.key());
      }
    }
  }

  /// Called before the request of a holding changes: its place in the order depends on it.
  private void endWaiting(@Nullable AddressHolding holding) {
    if (holding != null && waiting.remove(holding)) {
      for (IpAddress address : holding.request().addresses().values()) {
        wanted.computeIfPresent(
            address,
            (_, keys) -> {
              keys.remove(holding.key());
              return keys.isEmpty() ? null : keys;
            });
      }
    }
  }
}
