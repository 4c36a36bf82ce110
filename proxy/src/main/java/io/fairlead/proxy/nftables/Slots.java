package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Which endpoint is in which slot. Slots are numbered without a gap, since one is chosen by a
/// random number; an endpoint keeps its slot as long as it can, so that a change of one endpoint
/// writes one or two slots and not all.
///
/// @param endpoints as values of the endpoint maps, in the order of their slots
record Slots(List<Bytes> endpoints) {
  static final Slots NONE = new Slots(List.of());

  Slots {
    endpoints = List.copyOf(endpoints);
  }

  /// The slots for other endpoints: those that stay keep their slot unless it is past the end; the
  /// others fill the gaps in their order.
  ///
  /// @param wanted each once
  Slots with(List<Bytes> wanted) {
    if (endpoints.equals(wanted)) {
      return this;
    }
    if (endpoints.isEmpty()) {
      return new Slots(wanted);
    }
    Set<Bytes> left = new java.util.LinkedHashSet<>(wanted);
    int count = left.size();
    List<Bytes> slots = new ArrayList<>(java.util.Collections.nCopies(count, Bytes.EMPTY));
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
    return new Slots(slots);
  }
}
