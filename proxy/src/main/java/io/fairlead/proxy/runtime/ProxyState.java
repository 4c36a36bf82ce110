package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.proxy.tracking.ServiceObject;
import io.fairlead.proxy.tracking.SliceObject;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/// What the proxy knows of the cluster and the node. Events are folded into it; each says which
/// families have something to write. It does no I/O, reads no clock and starts nothing: the same
/// events in the same order give the same plans.
///
/// Thread-safe: the informers' threads fold, each family's reconciler asks its [Planner] for the
/// plan.
final class ProxyState {

  /// What can happen to the state.
  sealed interface Event {
    record ServiceChanged(ServiceObject service) implements Event {}

    record ServiceDeleted(ObjectKey service) implements Event {}

    record SliceChanged(SliceObject slice) implements Event {}

    record SliceDeleted(ObjectKey slice) implements Event {}

    /// Facts about the node, for every family.
    record NodeFactsChanged(Map<IpAddress.Family, NodeFacts> facts) implements Event {
      public NodeFactsChanged {
        facts = Map.copyOf(facts);
      }
    }
  }

  private final Map<IpAddress.Family, Planner> planners = new EnumMap<>(IpAddress.Family.class);

  /// The newest version of a slice with a terminating endpoint that no report covers, by family.
  private final Map<IpAddress.Family, String> draining = new ConcurrentHashMap<>();

  /// @param planners one for each family that is written
  ProxyState(Map<IpAddress.Family, Planner> planners) {
    this.planners.putAll(planners);
  }

  /// Takes an event in.
  ///
  /// @return the families with something to write
  Set<IpAddress.Family> fold(Event event) {
    return switch (event) {
      case Event.ServiceChanged(ServiceObject service) -> each(plan -> plan.put(service));
      case Event.ServiceDeleted(ObjectKey key) -> each(plan -> plan.removeService(key));
      case Event.SliceChanged(SliceObject slice) -> put(slice);
      case Event.SliceDeleted(ObjectKey key) -> each(plan -> plan.removeSlice(key));
      case Event.NodeFactsChanged(Map<IpAddress.Family, NodeFacts> facts) -> put(facts);
    };
  }

  private Set<IpAddress.Family> each(Predicate<Planner> change) {
    Set<IpAddress.Family> changed = EnumSet.noneOf(IpAddress.Family.class);
    planners.forEach(
        (family, planner) -> {
          if (change.test(planner)) {
            changed.add(family);
          }
        });
    return changed;
  }

  private Set<IpAddress.Family> put(SliceObject slice) {
    Set<IpAddress.Family> changed = each(planner -> planner.put(slice));
    if (slice.drains() && planners.containsKey(slice.family())) {
      draining.put(slice.family(), slice.metadata().resourceVersion());
      // Also when no rule changes: an agent may wait for the report of this very version.
      changed.add(slice.family());
    }
    return changed;
  }

  private Set<IpAddress.Family> put(Map<IpAddress.Family, NodeFacts> facts) {
    Set<IpAddress.Family> changed = EnumSet.noneOf(IpAddress.Family.class);
    planners.forEach(
        (family, planner) -> {
          NodeFacts now = facts.get(family);
          if (now != null && planner.put(now)) {
            changed.add(family);
          }
        });
    return changed;
  }

  /// The rules of a family show slices up to a version.
  ///
  /// @return whether a terminating endpoint is among what they show now and did not before
  boolean written(IpAddress.Family family, String version) {
    String awaited = draining.get(family);
    return awaited != null
        && ResourceVersions.compare(version, awaited) >= 0
        && draining.remove(family, awaited);
  }
}
