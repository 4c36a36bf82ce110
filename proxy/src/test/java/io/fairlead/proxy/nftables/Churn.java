package io.fairlead.proxy.nftables;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.proxy.core.Plan;

/// A process that brings one plan after another into a namespace until it is killed. In every plan
/// all services have the same three endpoints, which no other plan has.
///
/// Arguments: the namespace, the number of the first plan.
final class Churn {
  static final int SERVICES = 200;

  private Churn() {}

  static Plan plan(int number) {
    Plan plan = Plan.empty(Plans.NODE);
    for (int i = 1; i <= SERVICES; i++) {
      plan = plan.with(Plans.service(i, 3 * number, 3 * number + 1, 3 * number + 2));
    }
    return plan;
  }

  public static void main(String[] arguments) {
    NetworkNamespace namespace = new NetworkNamespace(arguments[0]);
    try (NftablesPlane plane = namespace.call(() -> NftablesPlane.open(IpAddress.Family.IPV4))) {
      for (int number = Integer.parseInt(arguments[1]); ; number++) {
        plane.apply(plan(number));
        System.out.println(number);
      }
    }
  }
}
