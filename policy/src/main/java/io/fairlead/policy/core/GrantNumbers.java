package io.fairlead.policy.core;

import java.util.HashMap;
import java.util.Map;

/// The numbers of grants in use, and their ports in the plan.
final class GrantNumbers {
  static final int NOTHING = 0;
  static final int EVERYTHING = 1;
  static final int FIRST = 2;

  private static final class Used {
    final int number;
    int references;

    Used(int number) {
      this.number = number;
    }
  }

  private final PlanTables tables;
  private final NumberPool numbers = new NumberPool(FIRST);
  private final Map<Grant, Used> used = new HashMap<>();
  private Map<Grant, Integer> installed = Map.of();

  GrantNumbers(PlanTables tables) {
    this.tables = tables;
  }

  /// Grants that the kernel has already, to keep their numbers.
  void adopt(Map<Grant, Integer> known) {
    installed = known;
    numbers.keep(known.values());
  }

  int acquire(Grant grant) {
    if (grant.everything()) {
      return EVERYTHING;
    }
    if (grant.ranges().isEmpty()) {
      return NOTHING;
    }
    Used found = used.get(grant);
    if (found == null) {
      found = new Used(numbers.take(installed.getOrDefault(grant, -1)));
      used.put(grant, found);
      for (Grant.Ports ports : grant.ranges()) {
        tables.put(set(ports), new PlanKey.OfPorts(found.number, ports), PlanValue.MEMBER);
      }
    }
    found.references++;
    return found.number;
  }

  void release(Grant grant) {
    Used found = used.get(grant);
    if (found != null && --found.references == 0) {
      used.remove(grant);
      for (Grant.Ports ports : grant.ranges()) {
        tables.remove(set(ports), new PlanKey.OfPorts(found.number, ports));
      }
      numbers.giveBack(found.number);
    }
  }

  private static PolicySet set(Grant.Ports ports) {
    return ports.first() == ports.last() ? PolicySet.PORTS : PolicySet.PORT_RANGES;
  }

  void acknowledged() {
    installed = Map.of();
    numbers.forgetKept();
    numbers.acknowledged();
  }

  int count() {
    return used.size();
  }
}
