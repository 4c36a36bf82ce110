package io.fairlead.controller.endpointslice;

import io.fairlead.controller.serving.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A slice as it shall be written. Lives within one run of the planner, on one thread.
final class SliceDraft {
  private final String addressType;
  private final List<SlicePort> ports;
  private final List<SliceEndpoint> endpoints;
  private final @Nullable Slice base;

  private SliceDraft(
      String addressType,
      List<SlicePort> ports,
      List<SliceEndpoint> endpoints,
      @Nullable Slice base) {
    this.addressType = addressType;
    this.ports = List.copyOf(ports);
    this.endpoints = new ArrayList<>(endpoints);
    this.base = base;
  }

  static SliceDraft fresh(String addressType, List<SlicePort> ports) {
    return new SliceDraft(addressType, ports, List.of(), null);
  }

  /// A new content for a slice that is there.
  static SliceDraft changing(Slice slice, List<SliceEndpoint> endpoints) {
    return new SliceDraft(slice.addressType(), slice.ports(), endpoints, slice);
  }

  /// The same content under the name of a slice that is no longer needed.
  SliceDraft inPlaceOf(Slice unneeded) {
    return new SliceDraft(addressType, ports, endpoints, unneeded);
  }

  String addressType() {
    return addressType;
  }

  List<SlicePort> ports() {
    return ports;
  }

  /// May be changed.
  List<SliceEndpoint> endpoints() {
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
