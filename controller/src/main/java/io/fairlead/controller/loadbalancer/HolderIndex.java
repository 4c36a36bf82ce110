package io.fairlead.controller.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Finds the Services on an address, and the addresses that are held with a sharing key. Owned by
/// an [BalancerAddressTable].
final class HolderIndex {
  private final Map<IpAddress, List<AddressHolding>> byAddress = new HashMap<>();
  private final Map<String, TreeSet<IpAddress>> bySharingKey = new HashMap<>();

  List<AddressHolding> of(IpAddress address) {
    return byAddress.getOrDefault(address, List.of());
  }

  Collection<IpAddress> addresses() {
    return byAddress.keySet();
  }

  /// The addresses held with that key, lowest first.
  Collection<IpAddress> sharedWith(String sharingKey) {
    return sharingKey.isEmpty()
        ? List.of()
        : List.copyOf(bySharingKey.getOrDefault(sharingKey, new TreeSet<>()));
  }

  void add(AddressHolding holding, IpAddress address) {
    byAddress.computeIfAbsent(address, _ -> new ArrayList<>(1)).add(holding);
    holding.addresses().add(address);
    enterKey(holding.request().sharingKey(), address);
  }

  void remove(AddressHolding holding, IpAddress address) {
    holding.addresses().remove(address);
    byAddress.computeIfPresent(
        address,
        (_, list) -> {
          list.remove(holding);
          return list.isEmpty() ? null : list;
        });
    leaveKey(holding.request().sharingKey(), address);
  }

  /// Takes over the newest state of a Service.
  ///
  /// @param affected gets the Services that share an address with it, when that may have ended
  void rename(
      AddressHolding holding,
      BalancedService service,
      Map<String, String> namespaceLabels,
      Set<ObjectKey> affected) {
    String before = holding.request().sharingKey();
    boolean changed = holding.update(service, namespaceLabels);
    if (!changed) {
      return;
    }
    for (IpAddress address : holding.addresses()) {
      leaveKey(before, address);
      enterKey(holding.request().sharingKey(), address);
      for (AddressHolding other : of(address)) {
        if (other != holding) {
          affected.add(other.key());
        }
      }
    }
  }

  private void enterKey(String key, IpAddress address) {
    if (!key.isEmpty()) {
      bySharingKey.computeIfAbsent(key, _ -> new TreeSet<>()).add(address);
    }
  }

  private void leaveKey(String key, IpAddress address) {
    boolean stillHeld =
        of(address).stream().anyMatch(other -> other.request().sharingKey().equals(key));
    if (!key.isEmpty() && !stillHeld) {
      bySharingKey.computeIfPresent(
          key,
          (_, set) -> {
            set.remove(address);
            return set.isEmpty() ? null : set;
          });
    }
  }
}
