package io.fairlead.policy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.policy.core.PlanChange;
import io.fairlead.policy.core.PolicyPlan;
import io.fairlead.policy.core.World;

/// A process that changes policies and pods without a pause and writes each change to the kernel,
/// until it is killed. Every change has a number, which it prints when the kernel has acknowledged
/// it; so another process knows the plan of each number.
public final class PolicyChurn {
  private static final int POLICIES = 5;
  private static final int PODS = 7;

  private PolicyChurn() {}

  /// @param arguments the number to go on from
  public static void main(String[] arguments) {
    int first = Integer.parseInt(arguments[0]);
    World world = new World();
    for (int number = 1; number <= first; number++) {
      change(world, number);
    }
    try (KernelPolicyTable table = KernelPolicyTable.open(IpAddress.Family.IPV4, settings())) {
      table.reconcile(world.plan("node1"));
      world.takeChanges("node1");
      for (int number = first + 1; ; number++) {
        change(world, number);
        for (PlanChange change : world.takeChanges("node1")) {
          table.apply(change);
        }
        System.out.println(number);
      }
    }
  }

  static TableSettings settings() {
    return TableSettings.of(World.node("node1").podRanges());
  }

  /// The plan after so many changes.
  static PolicyPlan plan(int number) {
    World world = new World();
    for (int each = 1; each <= number; each++) {
      change(world, each);
    }
    return world.plan("node1");
  }

  private static void change(World world, int number) {
    String policy = "p" + number % POLICIES;
    switch (number % 4) {
      case 0 -> world.removePolicy("x", policy);
      case 1 ->
          world.putPolicy(
              policy,
              "{podSelector: {}, ingress: [{from: [{podSelector: {matchLabels: {pod: n%d}}},"
                      .formatted(number % PODS)
                  + " {ipBlock: {cidr: 10.%d.0.0/16}}], ports: [{port: %d}, {port: 100, endPort:"
                      .formatted(number % 200, 1 + number % 60)
                  + " %d}]}]}".formatted(101 + number % 50));
      case 2 ->
          world.putPod(
              world.pod("y/n" + number % PODS, "node1", "10.244.1." + (100 + number % PODS)));
      default -> world.removePod("y/n" + number % PODS);
    }
  }
}
