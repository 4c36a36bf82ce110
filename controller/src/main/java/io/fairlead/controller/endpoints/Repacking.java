package io.fairlead.controller.endpoints;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Brings addresses and ports into the one shape that says the same with the fewest subsets, so
/// that two objects that mean the same are equal.
///
/// How it works: for every port the addresses that serve it are collected, each once; one that is
/// said to be ready and not ready is not. Ports with exactly the same addresses share a subset.
/// Addresses are sorted as texts, ports by number, protocol and name, subsets by their first port.
///
/// Owned by one thread.
public final class Repacking {
  /// @param address as it was said first
  private record Said(EndpointAddress address, boolean ready) {}

  /// Stands for a subset that names no port.
  private static final EndpointPort NONE = new EndpointPort("", -1, "", Optional.empty());

  private static final Comparator<EndpointSubset> ORDER =
      Comparator.comparing(
              (EndpointSubset subset) ->
                  subset.ports().isEmpty() ? NONE : subset.ports().getFirst())
          .thenComparingInt(subset -> subset.ports().size());

  private final Map<EndpointPort, Map<EndpointAddress.Identity, Said>> byPort =
      new LinkedHashMap<>();

  /// The same subsets in that shape.
  public static List<EndpointSubset> of(Collection<EndpointSubset> subsets) {
    Repacking repacking = new Repacking();
    for (EndpointSubset subset : subsets) {
      List<EndpointPort> ports = subset.ports().isEmpty() ? List.of(NONE) : subset.ports();
      for (EndpointPort port : ports) {
        subset.ready().forEach(address -> repacking.add(port, address, true));
        subset.notReady().forEach(address -> repacking.add(port, address, false));
      }
    }
    return repacking.subsets();
  }

  /// @param port null when the address serves no port in particular
  void add(@Nullable EndpointPort port, EndpointAddress address, boolean ready) {
    byPort
        .computeIfAbsent(port == null ? NONE : port, _ -> new TreeMap<>())
        .merge(
            address.identity(),
            new Said(address, ready),
            (first, more) -> new Said(first.address(), first.ready() && more.ready()));
  }

  List<EndpointSubset> subsets() {
    Map<Map<EndpointAddress.Identity, Boolean>, List<EndpointPort>> shared = new HashMap<>();
    byPort.forEach(
        (port, said) -> shared.computeIfAbsent(readiness(said), _ -> new ArrayList<>()).add(port));
    List<EndpointSubset> subsets = new ArrayList<>();
    for (List<EndpointPort> ports : shared.values()) {
      ports.sort(null);
      List<EndpointAddress> ready = new ArrayList<>();
      List<EndpointAddress> notReady = new ArrayList<>();
      byPort
          .getOrDefault(ports.getFirst(), Map.of())
          .values()
          .forEach(said -> (said.ready() ? ready : notReady).add(said.address()));
      subsets.add(
          new EndpointSubset(
              ready, notReady, ports.stream().filter(port -> !port.equals(NONE)).toList()));
    }
    subsets.sort(ORDER);
    return subsets;
  }

  private static Map<EndpointAddress.Identity, Boolean> readiness(
      Map<EndpointAddress.Identity, Said> said) {
    Map<EndpointAddress.Identity, Boolean> readiness = new HashMap<>();
    said.forEach((identity, one) -> readiness.put(identity, one.ready()));
    return readiness;
  }
}
