package io.fairlead.proxy.core;

import java.util.ArrayList;
import java.util.List;

/// What turns one plan into another.
///
/// @param nodeChanged a fact about the node changed: everything may have to be written again
public record PlanDiff(
    boolean nodeChanged, List<ServicePlan> added, List<Change> changed, List<ServicePlan> removed) {

  /// One service port before and after.
  public record Change(ServicePlan before, ServicePlan after) {}

  public PlanDiff {
    added = List.copyOf(added);
    changed = List.copyOf(changed);
    removed = List.copyOf(removed);
  }

  /// Compares. Costs what the difference is when `after` was made from `before`.
  public static PlanDiff between(Plan before, Plan after) {
    List<ServicePlan> added = new ArrayList<>();
    List<Change> changed = new ArrayList<>();
    List<ServicePlan> removed = new ArrayList<>();
    after
        .services()
        .differencesTo(
            before.services(),
            (_, was, is) -> {
              if (was == null && is != null) {
                added.add(is);
              } else if (was != null && is == null) {
                removed.add(was);
              } else if (was != null && is != null) {
                changed.add(new Change(was, is));
              }
            });
    return new PlanDiff(!before.node().equals(after.node()), added, changed, removed);
  }

  public boolean isEmpty() {
    return !nodeChanged && added.isEmpty() && changed.isEmpty() && removed.isEmpty();
  }
}
