package io.fairlead.controller.endpointslice;

import io.fairlead.controller.serving.EndpointNode;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which part of the cluster's processors each zone has.
///
/// @param ratios by zone, adding up to 1; empty when the nodes do not tell enough: one of them has
///   no zone or reports no processors, or there are fewer than two zones
record ZoneShares(SortedMap<String, Double> ratios) {
  static final ZoneShares UNKNOWN = new ZoneShares(new TreeMap<>());

  /// How much more than its fair share an endpoint may get.
  private static final double OVERLOAD = 0.2;

  /// How many endpoints a zone needs and may have.
  record Allocation(int minimum, int maximum, double target) {}

  /// The allocations for a number of endpoints, or why there are none.
  sealed interface Allocations {
    record Allocated(SortedMap<String, Allocation> byZone) implements Allocations {}

    record Impossible(String why) implements Allocations {}
  }

  static ZoneShares of(Collection<EndpointNode> nodes) {
    TreeMap<String, Long> byZone = new TreeMap<>();
    long total = 0;
    for (EndpointNode node : nodes) {
      if (node.controlPlane() || !node.ready()) {
        continue;
      }
      if (node.zone().isEmpty() || node.allocatableMilliCpu() == 0) {
        return UNKNOWN;
      }
      byZone.merge(node.zone(), node.allocatableMilliCpu(), Long::sum);
      total += node.allocatableMilliCpu();
    }
    if (byZone.size() < 2) {
      return UNKNOWN;
    }
    TreeMap<String, Double> ratios = new TreeMap<>();
    for (Map.Entry<String, Long> zone : byZone.entrySet()) {
      ratios.put(zone.getKey(), zone.getValue() / (double) total);
    }
    return new ZoneShares(ratios);
  }

  Allocations allocate(int endpoints) {
    if (ratios.isEmpty()) {
      return new Allocations.Impossible(
          "Insufficient Node information: allocatable CPU or zone not specified on one or more"
              + " nodes");
    }
    String counts = " (" + endpoints + " endpoints, " + ratios.size() + " zones)";
    if (ratios.size() > endpoints) {
      return new Allocations.Impossible("Insufficient number of endpoints" + counts);
    }
    int least = 0;
    for (double ratio : ratios.values()) {
      least += minimum(ratio * endpoints);
    }
    if (least > endpoints) {
      return new Allocations.Impossible(
          "Unable to allocate minimum required endpoints to each zone without exceeding overload"
              + " threshold"
              + counts);
    }
    TreeMap<String, Allocation> byZone = new TreeMap<>();
    for (Map.Entry<String, Double> zone : ratios.entrySet()) {
      double desired = zone.getValue() * endpoints;
      int minimum = minimum(desired);
      byZone.put(
          zone.getKey(),
          new Allocation(minimum, minimum + endpoints - least, Math.max(desired, minimum)));
    }
    return new Allocations.Allocated(byZone);
  }

  /// Whether endpoints spread like that overload those of some zone.
  boolean overloads(Map<String, Integer> endpoints) {
    if (endpoints.isEmpty()) {
      return false;
    }
    if (ratios.isEmpty()) {
      return true;
    }
    int total = endpoints.values().stream().mapToInt(Integer::intValue).sum();
    return ratios.entrySet().stream()
        .anyMatch(
            zone -> {
              Integer present = endpoints.get(zone.getKey());
              return present == null || present < minimum(zone.getValue() * total);
            });
  }

  // Written as a product with the inverse, as the original does: a division rounds differently.
  private static int minimum(double desired) {
    return (int) Math.ceil(desired * (1 / (1 + OVERLOAD)));
  }
}
