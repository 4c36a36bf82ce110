package io.fairlead.proxy.nftables;

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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/// Plans for tests, made without the API.
final class NftablesTestPlans {
  static final NodeFacts NODE =
      NodeFacts.of("node-a", IpAddress.parse("192.0.2.10"))
          .withDetector(new LocalDetector.Source(Cidr.parse("10.64.0.0/14")));

  private NftablesTestPlans() {}

  static ServicePortName name(int number) {
    return new ServicePortName("shop", "s" + number, "http", Protocol.TCP);
  }

  static IpAddress clusterIp(int number) {
    return IpAddress.parse("10.96.0.0").plus(number);
  }

  static IpAddress endpoint(int number) {
    return IpAddress.parse("10.64.0.0").plus(number);
  }

  /// A service port with a cluster IP and endpoints, the first of them on this node.
  static ServicePlan service(int number, int... endpoints) {
    return ServicePlan.of(port(number, 0), backends(endpoints), NODE);
  }

  static ServicePort port(int number, int sticky) {
    return new ServicePort(
        name(number),
        clusterIp(number),
        80,
        0,
        List.of(),
        List.of(),
        List.of(),
        TrafficPolicy.CLUSTER,
        TrafficPolicy.CLUSTER,
        sticky,
        0);
  }

  static List<Backend> backends(int... endpoints) {
    List<Backend> backends = new ArrayList<>();
    for (int endpoint : endpoints) {
      backends.add(Backend.ready(endpoint(endpoint), 8080, backends.isEmpty()));
    }
    backends.sort(Comparator.comparing(Backend::text));
    return backends;
  }

  /// Many like services with three endpoints each.
  static Plan many(int services) {
    Plan plan = Plan.empty(NODE);
    for (int i = 1; i <= services; i++) {
      plan = plan.with(service(i, 3 * i, 3 * i + 1, 3 * i + 2));
    }
    return plan;
  }

  /// A service port of any make; those of near numbers may want the same addresses.
  static ServicePlan random(int number, RandomGenerator random) {
    boolean outside = random.nextInt(3) == 0;
    ServicePort port =
        new ServicePort(
            name(number),
            clusterIp(number),
            80,
            outside && random.nextBoolean() ? 30000 + random.nextInt(8) : 0,
            outside && random.nextBoolean() ? List.of(external(random.nextInt(8))) : List.of(),
            outside && random.nextBoolean() ? List.of(external(8 + random.nextInt(8))) : List.of(),
            random.nextInt(4) == 0
                ? List.of(Cidr.parse("203.0.113.0/24"), Cidr.parse("203.0.113.128/25"))
                : List.of(),
            random.nextInt(5) == 0 ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER,
            random.nextInt(3) == 0 ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER,
            random.nextInt(4) == 0 ? 60 * (1 + random.nextInt(2)) : 0,
            0);
    int[] endpoints = random.ints(random.nextInt(7), 1, 40).distinct().toArray();
    return ServicePlan.of(port, backends(endpoints), NODE);
  }

  private static IpAddress external(int number) {
    return IpAddress.parse("198.18.0.0").plus(number);
  }
}
