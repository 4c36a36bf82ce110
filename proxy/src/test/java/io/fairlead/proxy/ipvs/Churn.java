package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.proxy.core.Plan;

/// A process that writes one plan after another and says so, until somebody kills it.
final class Churn {
  private Churn() {}

  /// The plan of a step; one Service is in all of them.
  static Plan plan(int step, String vip, int port, String endpoint) {
    Plans plans = new Plans().with("kept", vip, port, endpoint);
    for (int i = 0; i < step % 7; i++) {
      plans.with("s" + i, "10.112.3." + (1 + i), 80, "10.64.1." + (30 + (step + i) % 5));
    }
    return plans.plan();
  }

  /// @param arguments name of the namespace, address, port and endpoint of the Service that stays
  public static void main(String[] arguments) {
    GuestNode node = new GuestNode(new NetworkNamespace(arguments[0]));
    IpvsPlane plane = node.plane(IpAddress.Family.IPV4, IpvsSettings.standard());
    for (int step = 0; step < 1_000_000; step++) {
      plane.apply(plan(step, arguments[1], Integer.parseInt(arguments[2]), arguments[3]));
      System.out.println(step);
    }
  }
}
