package io.fairlead.controller.endpointslice;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.client.ObjectKey;
import io.fairlead.controller.serving.ServicePodIndex;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the zones of the cluster have, and which Services' endpoints were meant for which zones by
/// it. Guarded by itself.
final class TopologyCache {
  private final ServicePodIndex catalog;
  private final Map<ObjectKey, Map<Family, Map<String, Integer>>> hinted = new HashMap<>();
  private ZoneShares shares = ZoneShares.UNKNOWN;
  private boolean outOfDate = true;

  TopologyCache(ServicePodIndex catalog) {
    this.catalog = catalog;
  }

  /// A node changed.
  synchronized void nodesChanged() {
    outOfDate = true;
  }

  synchronized ZoneShares shares() {
    if (outOfDate) {
      shares = ZoneShares.of(catalog.nodes());
      outOfDate = false;
    }
    return shares;
  }

  synchronized boolean hinted(ObjectKey service, Family family) {
    return hinted.getOrDefault(service, Map.of()).containsKey(family);
  }

  /// @param zones how many endpoints are meant for each; empty when there are no such hints
  synchronized void set(ObjectKey service, Family family, Map<String, Integer> zones) {
    if (zones.isEmpty()) {
      hinted.computeIfPresent(
          service,
          (_, families) -> {
            families.remove(family);
            return families.isEmpty() ? null : families;
          });
    } else {
      hinted
          .computeIfAbsent(service, _ -> new EnumMap<>(Family.class))
          .put(family, Map.copyOf(zones));
    }
  }

  synchronized void forget(ObjectKey service) {
    hinted.remove(service);
  }

  /// The Services whose hints would overload some zone as the cluster is now.
  synchronized List<ObjectKey> overloaded() {
    ZoneShares now = shares();
    List<ObjectKey> found = new ArrayList<>();
    hinted.forEach(
        (service, families) -> {
          if (families.values().stream().anyMatch(now::overloads)) {
            found.add(service);
          }
        });
    return found;
  }
}
