package io.fairlead.bench.rules;

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
final class Services {
  private static final NodeFacts NODE =
      NodeFacts.of("bench", IpAddress.parse("192.0.2.10"))
          .withDetector(new LocalDetector.Source(Cidr.parse("10.200.0.0/13")));
  private static final IpAddress ADDRESSES = IpAddress.parse("10.96.0.0");
  private static final IpAddress ENDPOINTS = IpAddress.parse("10.200.0.0");

  private Services() {}

  static Plan plan(int count) {
    Plan plan = Plan.empty(NODE);
    for (int i = 0; i < count; i++) {
      plan = plan.with(service(i, 3 * i + 2));
    }
    return plan;
  }

  static ServicePortName name(int number) {
    return new ServicePortName("bench", "svc" + number, "http", Protocol.TCP);
  }

  /// A service whose third endpoint has that number.
  static ServicePlan service(int number, int third) {
    return ServicePlan.of(
        new ServicePort(
            name(number),
            ADDRESSES.plus(number),
            80,
            0,
            List.of(),
            List.of(),
            List.of(),
            TrafficPolicy.CLUSTER,
            TrafficPolicy.CLUSTER,
            0,
            0),
        List.of(backend(3 * number), backend(3 * number + 1), backend(third)),
        NODE);
  }

  private static Backend backend(int number) {
    return Backend.ready(ENDPOINTS.plus(number), 8080, false);
  }
}
