package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.NftData;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Which endpoint is in which slot. Slots are numbered without a gap, since one is chosen by a
/// random number; an endpoint keeps its slot as long as it can, so that a change of one endpoint
/// writes one or two slots and not all.
///
/// @param endpoints as values of the endpoint maps, in the order of their slots
record EndpointSlots(List<NftData> endpoints) {
  static final EndpointSlots NONE = new EndpointSlots(List.of());

  EndpointSlots {
    endpoints = List.copyOf(endpoints);
  }

  /// The slots for other endpoints: those that stay keep their slot unless it is past the end; the
  /// others fill the gaps in their order.
  ///
  /// @param wanted each once
  EndpointSlots with(List<NftData> wanted) {
    if (endpoints.equals(wanted)) {
      return this;
    }
    if (endpoints.isEmpty()) {
      return new EndpointSlots(wanted);
    }
    Set<NftData> left = new java.util.LinkedHashSet<>(wanted);
    int count = left.size();
    List<NftData> slots = new ArrayList<>(java.util.Collections.nCopies(count, NftData.EMPTY));
    for (int slot = 0; slot < Math.min(count, endpoints.size()); slot++) {
      if (left.remove(endpoints.get(slot))) {
        slots.set(slot, endpoints.get(slot));
      }
    }
    var rest = left.iterator();
    for (int slot = 0; slot < count; slot++) {
      if (slots.get(slot).length() == 0) {
        slots.set(slot, rest.next());
      }
    }
    return new EndpointSlots(slots);
  }
}
