package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
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
record Placement(Slots cluster, Slots local, Map<Bytes, Integer> numbers) {
  Placement {
    numbers = Map.copyOf(numbers);
  }

  static final Placement NONE = new Placement(Slots.NONE, Slots.NONE, Map.of());

  /// The placement for a plan that changes as little as possible.
  Placement with(ServicePlan plan) {
    Slots nextCluster = cluster.with(values(plan.choice().cluster()));
    Slots nextLocal = local.with(values(plan.choice().local()));
    if (plan.port().stickySeconds() == 0) {
      return new Placement(nextCluster, nextLocal, Map.of());
    }
    return new Placement(nextCluster, nextLocal, numbers(nextCluster, nextLocal));
  }

  /// Endpoints as values, each once.
  ///
  /// @param backends sorted, so that equal ones are neighbours
  private static List<Bytes> values(List<Backend> backends) {
    List<Bytes> values = new ArrayList<>(backends.size());
    Bytes last = Bytes.EMPTY;
    for (Backend backend : backends) {
      Bytes value = Layout.endpoint(backend.address(), backend.port());
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
    Placement natural = NONE.with(plan);
    return cluster.endpoints().equals(natural.cluster.endpoints())
        && local.endpoints().equals(natural.local.endpoints())
        && numbers.equals(natural.numbers);
  }

  /// Endpoints that stay keep their number; a new one gets the next after the highest.
  private Map<Bytes, Integer> numbers(Slots nextCluster, Slots nextLocal) {
    Map<Bytes, Integer> next = new HashMap<>();
    Set<Integer> used = new HashSet<>();
    for (Slots slots : List.of(nextCluster, nextLocal)) {
      for (Bytes endpoint : slots.endpoints()) {
        Integer number = numbers.get(endpoint);
        if (number != null && used.add(number)) {
          next.put(endpoint, number);
        }
      }
    }
    // A number set free is not given away at once: a client remembered with it would be taken to
    // the
    // new endpoint instead of being sent anywhere.
    int candidate = numbers.values().stream().max(Integer::compare).orElse(Number.TAG) + 1;
    for (Slots slots : List.of(nextCluster, nextLocal)) {
      for (Bytes endpoint : slots.endpoints()) {
        if (!next.containsKey(endpoint)) {
          if (candidate > Number.CLUSTER_SLOTS + Number.MOST_SLOTS - 1) {
            candidate = Number.CLUSTER_SLOTS;
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
