package io.fairlead.proxy.testing;

import io.fairlead.proxy.core.ApplyResult;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/// Drives a data plane without a proxy around it, for tests and benchmarks: remembers the plan each
/// plane follows and computes the difference to the next one, as a proxy's reconciler does. A plane
/// is driven by one thread at a time and only through here.
public final class PlanFollower {
  private static final Map<DataPlane, Plan> FOLLOWED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private PlanFollower() {}

  /// Goes on to that plan from the last one the plane has followed.
  public static ApplyResult apply(DataPlane plane, Plan desired) {
    Plan before = FOLLOWED.getOrDefault(plane, Plan.empty(desired.node()));
    ApplyResult result = plane.apply(desired, PlanDiff.between(before, desired));
    FOLLOWED.put(plane, desired);
    return result;
  }

  /// Has the plane read the kernel back.
  public static ApplyResult reconcile(DataPlane plane, Plan desired) {
    ApplyResult result = plane.reconcile(desired);
    FOLLOWED.put(plane, desired);
    return result;
  }
}
