package io.fairlead.controller.endpointslice;

import io.fairlead.controller.serving.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A slice as it shall be written. Lives within one run of the planner, on one thread.
final class Draft {
  private final String addressType;
  private final List<SlicePort> ports;
  private final List<Endpoint> endpoints;
  private final @Nullable Slice base;

  private Draft(
      String addressType, List<SlicePort> ports, List<Endpoint> endpoints, @Nullable Slice base) {
    this.addressType = addressType;
    this.ports = List.copyOf(ports);
    this.endpoints = new ArrayList<>(endpoints);
    this.base = base;
  }

  static Draft fresh(String addressType, List<SlicePort> ports) {
    return new Draft(addressType, ports, List.of(), null);
  }

  /// A new content for a slice that is there.
  static Draft changing(Slice slice, List<Endpoint> endpoints) {
    return new Draft(slice.addressType(), slice.ports(), endpoints, slice);
  }

  /// The same content under the name of a slice that is no longer needed.
  Draft inPlaceOf(Slice unneeded) {
    return new Draft(addressType, ports, endpoints, unneeded);
  }

  String addressType() {
    return addressType;
  }

  List<SlicePort> ports() {
    return ports;
  }

  /// May be changed.
  List<Endpoint> endpoints() {
    return endpoints;
  }

  int size() {
    return endpoints.size();
  }

  /// The slice that is overwritten; empty when a new one is made.
  Optional<Slice> base() {
    return Optional.ofNullable(base);
  }

  /// Whether an existing slice without ports and endpoints is just what this fresh draft asks for.
  boolean isAlready(Slice slice, Service service) {
    return slice.addressType().equals(addressType)
        && slice.ports().isEmpty()
        && slice.endpoints().isEmpty()
        && ports.isEmpty()
        && endpoints.isEmpty()
        && slice.metadata().ownerReferences().size() == 1
        && slice.ownedBy(service.metadata().uid())
        && slice.metadata().labels().equals(SliceLabels.of(service));
  }
}
