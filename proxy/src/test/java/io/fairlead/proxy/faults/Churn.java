package io.fairlead.proxy.faults;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.process.Iptables;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.iptables.Canary;
import io.fairlead.proxy.iptables.IptablesPlane;
import io.fairlead.proxy.iptables.IptablesSettings;
import io.fairlead.proxy.iptables.KernelIptablesRunner;
import io.fairlead.proxy.ipvs.GuestNode;
import io.fairlead.proxy.ipvs.IpvsSettings;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.work.Pacer;
import java.time.Duration;
import java.util.List;

/// A process that brings one plan after another into a namespace until it is killed. In every plan
/// each Service has the same three endpoints, which no other plan has, or none; one Service is the
/// same in all plans, for those who hold connections through it.
///
/// Arguments: the mode, the namespace, the number of the first plan. See [ChurnProcess].
public final class Churn {
  static final int SERVICES = 40;

  /// Virtual servers in this range belong to another program.
  static final Cidr FOREIGN = Cidr.parse("10.98.0.0/16");

  private static final IpvsSettings IPVS = IpvsSettings.standard().withExcluded(List.of(FOREIGN));
  private static final int EVERY = 7;
  private static final Fixture FIXTURE = new Fixture(IpAddress.Family.IPV4, Protocol.TCP);
  private static final NodeFacts NODE = FIXTURE.node(Setup.STANDARD);
  private static final IpAddress ADDRESSES = IpAddress.parse("10.112.1.0");
  private static final IpAddress ENDPOINTS = IpAddress.parse("10.66.0.0");

  private Churn() {}

  /// The plan with a number.
  public static Plan plan(int number) {
    Plan plan = Plan.empty(NODE).with(kept());
    for (int i = 1; i <= SERVICES; i++) {
      List<Backend> backends =
          (i + number) % EVERY == 0
              ? List.of()
              : List.of(backend(3 * number), backend(3 * number + 1), backend(3 * number + 2));
      plan = plan.with(ServicePlan.of(port("s" + i, ADDRESSES.plus(i)), backends, NODE));
    }
    return plan;
  }

  /// The number of the plan that has an endpoint.
  public static int numberOf(IpAddress endpoint) {
    return Math.toIntExact(ENDPOINTS.distanceTo(endpoint) / 3);
  }

  private static ServicePlan kept() {
    return ServicePlan.of(
        port("kept", LongLivedConnections.SERVICE),
        List.of(Backend.ready(FIXTURE.endpoint("L1"), LongLivedConnections.TARGET_PORT, true)),
        NODE);
  }

  private static ServicePort port(String name, IpAddress address) {
    return new ServicePort(
        new ServicePortName("shop", name, "http", Protocol.TCP),
        address,
        80,
        0,
        List.of(),
        List.of(),
        List.of(),
        TrafficPolicy.CLUSTER,
        TrafficPolicy.CLUSTER,
        0,
        0);
  }

  private static Backend backend(int number) {
    return Backend.ready(ENDPOINTS.plus(number), 8080, false);
  }

  /// A plane of a mode that works in a namespace.
  public static DataPlane open(String mode, NetworkNamespace namespace) {
    return open(mode, namespace, IpAddress.Family.IPV4);
  }

  static DataPlane open(String mode, NetworkNamespace namespace, IpAddress.Family family) {
    if (mode.equals("nftables")) {
      return namespace.call(() -> NftablesPlane.open(family));
    }
    if (mode.equals("ipvs")) {
      return new GuestNode(namespace).plane(family, IPVS);
    }
    return new IptablesPlane(
        new KernelIptablesRunner(
            new Iptables(
                family == IpAddress.Family.IPV4 ? Iptables.Family.IPV4 : Iptables.Family.IPV6,
                CommandRunner.inside(namespace, Duration.ofMinutes(1)))),
        IptablesSettings.standard(),
        new Canary(Pacer.system(), Duration.ofDays(1)));
  }

  public static void main(String[] arguments) {
    try (DataPlane plane = open(arguments[0], new NetworkNamespace(arguments[1]))) {
      for (int number = Integer.parseInt(arguments[2]); ; number++) {
        PlanFollower.apply(plane, plan(number));
        System.out.println(number);
      }
    }
  }
}
