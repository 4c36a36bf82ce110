package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is other in a plan than in the one before: the elements to write.
///
/// @param changes by set, each key once
/// @param released addresses that a local pod had and has no more, also those that another pod has
///   now: the kernel must forget their connections
public record PlanChange(
    IpAddress.Family family, Map<PolicySet, List<Element>> changes, Set<IpAddress> released) {
  /// @param before null when it is new
  /// @param after null when it goes
  public record Element(PlanKey key, @Nullable PlanValue before, @Nullable PlanValue after) {}

  public PlanChange {
    changes = java.util.Collections.unmodifiableMap(new EnumMap<>(changes));
    released = Set.copyOf(released);
  }

  /// Of elements alone.
  public PlanChange(IpAddress.Family family, Map<PolicySet, List<Element>> changes) {
    this(family, changes, Set.of());
  }

  /// Whether there is nothing to write.
  public boolean isEmpty() {
    return changes.isEmpty();
  }

  public List<Element> of(PolicySet set) {
    return changes.getOrDefault(set, List.of());
  }

  public int size() {
    return changes.values().stream().mapToInt(List::size).sum();
  }

  /// Whether a connection that was allowed may be denied now. May say yes when it is not so.
  public boolean narrows() {
    for (Map.Entry<PolicySet, List<Element>> each : changes.entrySet()) {
      boolean isolates =
          each.getKey() == PolicySet.EGRESS_ANYONE || each.getKey() == PolicySet.INGRESS_ANYONE;
      for (Element element : each.getValue()) {
        boolean added = element.before() == null;
        if (isolates ? element.after() != null : !added) {
          return true;
        }
      }
    }
    return false;
  }
}
