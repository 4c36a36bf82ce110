package io.fairlead.controller.endpointslice;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What plans change, counted. An endpoint that only moves to another slice is neither added nor
/// removed.
///
/// @param added endpoints
/// @param removed endpoints
/// @param creates slices
/// @param updates slices
/// @param deletes slices
record SliceChanges(int added, int removed, int creates, int updates, int deletes) {
  static final SliceChanges NONE = new SliceChanges(0, 0, 0, 0, 0);

  static SliceChanges of(FamilyPlan plan) {
    if (plan.isEmpty()) {
      return NONE;
    }
    Map<SliceEndpoint.Identity, Integer> balance = new HashMap<>();
    for (SliceDraft draft : plan.creates()) {
      count(balance, draft.endpoints(), 1);
    }
    for (SliceDraft draft : plan.updates()) {
      count(balance, draft.endpoints(), 1);
      draft.base().ifPresent(base -> count(balance, base.endpoints(), -1));
    }
    for (Slice slice : plan.deletes()) {
      count(balance, slice.endpoints(), -1);
    }
    int added = 0;
    int removed = 0;
    for (int left : balance.values()) {
      added += Math.max(left, 0);
      removed += Math.max(-left, 0);
    }
    return new SliceChanges(
        added, removed, plan.creates().size(), plan.updates().size(), plan.deletes().size());
  }

  SliceChanges plus(SliceChanges other) {
    return new SliceChanges(
        added + other.added,
        removed + other.removed,
        creates + other.creates,
        updates + other.updates,
        deletes + other.deletes);
  }

  private static void count(
      Map<SliceEndpoint.Identity, Integer> balance, List<SliceEndpoint> endpoints, int by) {
    endpoints.forEach(endpoint -> balance.merge(endpoint.identity(), by, Integer::sum));
  }
}
