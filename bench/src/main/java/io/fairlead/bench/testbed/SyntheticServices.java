package io.fairlead.bench.testbed;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import java.util.List;

/// Plans of many like Services with three endpoints each.
public final class SyntheticServices {
  private static final NodeFacts NODE =
      NodeFacts.of("bench", IpAddress.parse("192.0.2.10"))
          .withDetector(new LocalDetector.Source(Cidr.parse("10.200.0.0/13")));
  private static final IpAddress ADDRESSES = IpAddress.parse("10.96.0.0");
  private static final IpAddress ENDPOINTS = IpAddress.parse("10.200.0.0");

  private SyntheticServices() {}

  public static Plan plan(int count) {
    return plan(count, NODE);
  }

  /// The same on another node.
  public static Plan plan(int count, NodeFacts node) {
    Plan plan = Plan.empty(node);
    for (int i = 0; i < count; i++) {
      plan = plan.with(service(i, 3 * i + 2, node));
    }
    return plan;
  }

  /// A service that really leads somewhere, the last by name.
  public static ServicePlan leading(IpAddress address, List<Backend> to, NodeFacts node) {
    return ServicePlan.of(
        port(new ServicePortName("bench", "zz-last", "http", Protocol.TCP), address), to, node);
  }

  public static ServicePortName name(int number) {
    return new ServicePortName("bench", "svc" + number, "http", Protocol.TCP);
  }

  /// A service whose third endpoint has that number.
  public static ServicePlan service(int number, int third) {
    return service(number, third, NODE);
  }

  private static ServicePlan service(int number, int third, NodeFacts node) {
    return ServicePlan.of(
        port(name(number), ADDRESSES.plus(number)),
        List.of(backend(3 * number), backend(3 * number + 1), backend(third)),
        node);
  }

  private static ServicePort port(ServicePortName name, IpAddress address) {
    return new ServicePort(
        name,
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
}
