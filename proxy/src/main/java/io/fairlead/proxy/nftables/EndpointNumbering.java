package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.NftData;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.ServicePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// How the endpoints of a service port are numbered.
///
/// @param cluster slots of the endpoints for traffic that may go anywhere
/// @param local slots of the endpoints on this node
/// @param numbers for a sticky service port, the number each endpoint keeps as long as it lives,
///   which clients are remembered with; empty otherwise
record EndpointNumbering(
    EndpointSlots cluster, EndpointSlots local, Map<NftData, Integer> numbers) {
  EndpointNumbering {
    numbers = Map.copyOf(numbers);
  }

  static final EndpointNumbering NONE =
      new EndpointNumbering(EndpointSlots.NONE, EndpointSlots.NONE, Map.of());

  /// The placement for a plan that changes as little as possible.
  EndpointNumbering with(ServicePlan plan) {
    EndpointSlots nextCluster = cluster.with(values(plan.choice().cluster()));
    EndpointSlots nextLocal = local.with(values(plan.choice().local()));
    if (plan.port().stickySeconds() == 0) {
      return new EndpointNumbering(nextCluster, nextLocal, Map.of());
    }
    return new EndpointNumbering(nextCluster, nextLocal, numbers(nextCluster, nextLocal));
  }

  /// Endpoints as values, each once.
  ///
  /// @param backends sorted, so that equal ones are neighbours
  private static List<NftData> values(List<Backend> backends) {
    List<NftData> values = new ArrayList<>(backends.size());
    NftData last = NftData.EMPTY;
    for (Backend backend : backends) {
      NftData value = NftablesTableLayout.endpoint(backend.address(), backend.port());
      if (!value.equals(last)) {
        values.add(value);
      }
      last = value;
    }
    return values;
  }

  /// Whether no endpoint has a number.
  boolean isEmpty() {
    return cluster.endpoints().isEmpty() && local.endpoints().isEmpty();
  }

  /// Whether this is how the endpoints of a plan are numbered when nothing was there before.
  boolean isNatural(ServicePlan plan) {
    EndpointNumbering natural = NONE.with(plan);
    return cluster.endpoints().equals(natural.cluster.endpoints())
        && local.endpoints().equals(natural.local.endpoints())
        && numbers.equals(natural.numbers);
  }

  /// Endpoints that stay keep their number; a new one gets the next after the highest.
  private Map<NftData, Integer> numbers(EndpointSlots nextCluster, EndpointSlots nextLocal) {
    Map<NftData, Integer> next = new HashMap<>();
    Set<Integer> used = new HashSet<>();
    for (EndpointSlots slots : List.of(nextCluster, nextLocal)) {
      for (NftData endpoint : slots.endpoints()) {
        Integer number = numbers.get(endpoint);
        if (number != null && used.add(number)) {
          next.put(endpoint, number);
        }
      }
    }
    // A number set free is not given away at once: a client remembered with it would be taken to
    // the
    // new endpoint instead of being sent anywhere.
    int candidate = numbers.values().stream().max(Integer::compare).orElse(PacketTag.TAG) + 1;
    for (EndpointSlots slots : List.of(nextCluster, nextLocal)) {
      for (NftData endpoint : slots.endpoints()) {
        if (!next.containsKey(endpoint)) {
          if (candidate > PacketTag.CLUSTER_SLOTS + PacketTag.MOST_SLOTS - 1) {
            candidate = PacketTag.CLUSTER_SLOTS;
          }
          while (!used.add(candidate)) {
            candidate++;
          }
          next.put(endpoint, candidate++);
        }
      }
    }
    return next;
  }
}
