package io.fairlead.proxy.runtime;

import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.ServicePlan;

/// Counts service ports that drop traffic because the policy is Local and this node has no
/// endpoint, from differences. Owned by one sync loop.
final class NoLocalEndpointsCounter {
  private int internal;
  private int external;

  void update(PlanDiff diff) {
    diff.removed().forEach(plan -> add(plan, -1));
    diff.changed()
        .forEach(
            change -> {
              add(change.before(), -1);
              add(change.after(), 1);
            });
    diff.added().forEach(plan -> add(plan, 1));
  }

  private void add(ServicePlan plan, int sign) {
    if (!plan.choice().any() || !plan.choice().local().isEmpty()) {
      return;
    }
    if (plan.port().internalLocal()) {
      internal += sign;
    }
    if (plan.port().externalLocal() && plan.port().externallyAccessible()) {
      external += sign;
    }
  }

  int internal() {
    return internal;
  }

  int external() {
    return external;
  }
}
