package io.fairlead.controller.endpointslice;

import io.fairlead.controller.endpointslice.ZoneShares.Allocation;
import io.fairlead.controller.endpointslice.ZoneShares.Allocations;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Hints in proportion to what the zones have (`service.kubernetes.io/topology-mode: Auto`).
///
/// How it works: every ready endpoint is meant for its own zone first. Then zones with more
/// endpoints than their share of the cluster's processors give some to zones with fewer. What
/// stands in untouched slices stays as it is while no zone gets more than it may have. When the
/// endpoints are too few to come near the shares, there are no hints at all.
final class ProportionalHints {
  /// @param zones how many endpoints are meant for each zone; empty when there are no hints
  record Outcome(Map<String, Integer> zones, List<ServiceEvent> notices) {}

  private final Packing packing;
  private final String addressType;
  private final TreeMap<String, Integer> given = new TreeMap<>();

  private ProportionalHints(Packing packing, String addressType) {
    this.packing = packing;
    this.addressType = addressType;
  }

  /// @param before the Service had such hints
  static Outcome give(Packing packing, String addressType, ZoneShares shares, boolean before) {
    ProportionalHints hints = new ProportionalHints(packing, addressType);
    return switch (shares.allocate(hints.readyEndpoints())) {
      case Allocations.Impossible(String why) -> hints.none(why);
      case Allocations.Allocated(var byZone) -> hints.give(byZone, before);
    };
  }

  private Outcome none(String why) {
    HintStrategy.remove(packing);
    return new Outcome(Map.of(), List.of(ServiceEvent.hintsDisabled(why, addressType)));
  }

  private Outcome give(SortedMap<String, Allocation> allocations, boolean before) {
    for (Slice slice : List.copyOf(packing.unchanged)) {
      if (!keepsItsHints(slice, allocations)) {
        HintStrategy.touch(packing, slice);
      }
    }
    for (SliceDraft draft : HintStrategy.drafts(packing)) {
      for (int i = 0; i < draft.size(); i++) {
        SliceEndpoint endpoint = draft.endpoints().get(i);
        if (endpoint.isReady() && endpoint.zone().isEmpty()) {
          return none("One or more endpoints do not have a zone specified");
        }
        if (endpoint.isReady()) {
          given.merge(endpoint.zone(), 1, Integer::sum);
        }
        EndpointHints own =
            endpoint.isReady() ? EndpointHints.zone(endpoint.zone()) : EndpointHints.NONE;
        draft.endpoints().set(i, endpoint.with(own));
      }
    }
    even(allocations);
    if (given.isEmpty()) {
      return none("No hints allocated for zones");
    }
    return new Outcome(given, before ? List.of() : List.of(ServiceEvent.hintsEnabled(addressType)));
  }

  private int readyEndpoints() {
    int ready = 0;
    for (Slice slice : packing.unchanged) {
      ready += (int) slice.endpoints().stream().filter(SliceEndpoint::isReady).count();
    }
    for (SliceDraft draft : HintStrategy.drafts(packing)) {
      ready += (int) draft.endpoints().stream().filter(SliceEndpoint::isReady).count();
    }
    return ready;
  }

  private boolean keepsItsHints(Slice slice, SortedMap<String, Allocation> allocations) {
    Map<String, Integer> here = new HashMap<>();
    for (SliceEndpoint endpoint : slice.endpoints()) {
      List<String> zones = endpoint.hints().zones();
      if (!endpoint.isReady()) {
        continue;
      }
      if (zones.isEmpty() || !allocations.keySet().containsAll(zones)) {
        return false;
      }
      here.merge(zones.getFirst(), 1, Integer::sum);
    }
    for (Map.Entry<String, Integer> zone : here.entrySet()) {
      Allocation allocation = allocations.get(zone.getKey());
      int sum = given.getOrDefault(zone.getKey(), 0) + zone.getValue();
      if (allocation == null || sum > allocation.maximum()) {
        return false;
      }
    }
    here.forEach((zone, count) -> given.merge(zone, count, Integer::sum));
    return true;
  }

  /// Moves hints from zones that have too many to zones that have too few.
  private void even(SortedMap<String, Allocation> allocations) {
    TreeMap<String, Double> surplus = new TreeMap<>();
    TreeMap<String, Double> need = new TreeMap<>();
    for (Map.Entry<String, Allocation> zone : allocations.entrySet()) {
      double over = given.getOrDefault(zone.getKey(), 0) - zone.getValue().target();
      if (over > 0) {
        surplus.put(zone.getKey(), over);
      } else if (over < 0) {
        need.put(zone.getKey(), -over);
      }
    }
    TreeMap<String, Integer> giving = new TreeMap<>();
    TreeMap<String, Integer> receiving = new TreeMap<>();
    while (!surplus.isEmpty() && !need.isEmpty()) {
      Map.Entry<String, Double> from = greatest(surplus);
      Map.Entry<String, Double> to = greatest(need);
      boolean tooLittle = from.getValue() < 0.5 || to.getValue() < 0.5;
      if (tooLittle || (from.getValue() < 1 && to.getValue() < 1)) {
        break;
      }
      giving.merge(from.getKey(), 1, Integer::sum);
      receiving.merge(to.getKey(), 1, Integer::sum);
      surplus.merge(from.getKey(), -1.0, Double::sum);
      need.merge(to.getKey(), -1.0, Double::sum);
    }
    move(giving, receiving);
  }

  private static Map.Entry<String, Double> greatest(TreeMap<String, Double> zones) {
    Map.Entry<String, Double> greatest = zones.firstEntry();
    for (Map.Entry<String, Double> zone : zones.entrySet()) {
      if (zone.getValue() > greatest.getValue()) {
        greatest = zone;
      }
    }
    return Map.entry(greatest.getKey(), greatest.getValue());
  }

  private void move(TreeMap<String, Integer> giving, TreeMap<String, Integer> receiving) {
    for (SliceDraft draft : HintStrategy.drafts(packing)) {
      for (int i = 0; i < draft.size(); i++) {
        SliceEndpoint endpoint = draft.endpoints().get(i);
        if (receiving.isEmpty() || !endpoint.isReady() || !giving.containsKey(endpoint.zone())) {
          continue;
        }
        String to = receiving.firstKey();
        draft.endpoints().set(i, endpoint.with(EndpointHints.zone(to)));
        giving.computeIfPresent(endpoint.zone(), ProportionalHints::less);
        receiving.computeIfPresent(to, ProportionalHints::less);
        given.merge(endpoint.zone(), -1, Integer::sum);
        given.merge(to, 1, Integer::sum);
      }
    }
  }

  private static @Nullable Integer less(String zone, int count) {
    return count == 1 ? null : count - 1;
  }
}
