package io.fairlead.policy.core;

import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The elements of a plan that is being changed, with a note of what each was when it was last
/// taken over. Taking over costs as much as there are changes.
final class PlanTables {
  private final IpAddress.Family family;
  private final Map<PolicySet, Map<PlanKey, PlanValue>> content = new EnumMap<>(PolicySet.class);
  private final Map<PolicySet, Map<PlanKey, Optional<PlanValue>>> before =
      new EnumMap<>(PolicySet.class);

  PlanTables(IpAddress.Family family) {
    this.family = family;
    for (PolicySet set : PolicySet.values()) {
      content.put(set, new HashMap<>());
      before.put(set, new LinkedHashMap<>());
    }
  }

  private Map<PlanKey, PlanValue> content(PolicySet set) {
    return java.util.Objects.requireNonNull(content.get(set));
  }

  private Map<PlanKey, Optional<PlanValue>> before(PolicySet set) {
    return java.util.Objects.requireNonNull(before.get(set));
  }

  void put(PolicySet set, PlanKey key, PlanValue value) {
    PlanValue old = content(set).put(key, value);
    if (!value.equals(old)) {
      before(set).putIfAbsent(key, Optional.ofNullable(old));
    }
  }

  void remove(PolicySet set, PlanKey key) {
    PlanValue old = content(set).remove(key);
    if (old != null) {
      before(set).putIfAbsent(key, Optional.of(old));
    }
  }

  /// What has changed since the last call.
  ///
  /// @param released addresses that a local pod has no more
  PlanChange drain(Set<IpAddress> released) {
    Map<PolicySet, List<PlanChange.Element>> changes = new EnumMap<>(PolicySet.class);
    for (PolicySet set : PolicySet.values()) {
      List<PlanChange.Element> elements = new ArrayList<>();
      before(set)
          .forEach(
              (key, old) -> {
                PlanValue now = content(set).get(key);
                if (!Optional.ofNullable(now).equals(old)) {
                  elements.add(new PlanChange.Element(key, old.orElse(null), now));
                }
              });
      before(set).clear();
      if (!elements.isEmpty()) {
        changes.put(set, elements);
      }
    }
    return new PlanChange(family, changes, released);
  }

  PolicyPlan copy() {
    return new PolicyPlan(family, content);
  }

  int size(PolicySet set) {
    return content(set).size();
  }
}
