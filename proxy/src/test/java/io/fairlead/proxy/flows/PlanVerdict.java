package io.fairlead.proxy.flows;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.LocalDetector;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.NodePortAddresses;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Says from a plan alone what becomes of a connection: the plain model modes are held against.
public final class PlanVerdict {
  private final Plan plan;
  private final Fixture fixture;
  private final Map<IpAddress, String> names;

  public PlanVerdict(Plan plan, Fixture fixture) {
    this.plan = plan;
    this.fixture = fixture;
    this.names =
        Stream.of("L1", "L2", "R1")
            .collect(Collectors.toMap(fixture::endpoint, Function.identity()));
  }

  public ExpectedOutcome of(Flow flow) {
    IpAddress source = fixture.source(flow.from());
    for (ServicePlan service : plan.sorted()) {
      if (service.port().protocol() != fixture.protocol(flow.to())) {
        continue;
      }
      for (Frontend front : service.fronts()) {
        if (front.port() == fixture.port(flow.to()) && matches(front, flow)) {
          return verdict(service, front, flow.from(), source);
        }
      }
    }
    return new ExpectedOutcome.NotHandled();
  }

  private boolean matches(Frontend front, Flow flow) {
    IpAddress to = fixture.address(flow.to());
    IpAddress own = front.address();
    if (own != null) {
      return own.equals(to);
    }
    if (to.isLoopback()) {
      return to.isIpv4() && plan.node().localhostNodePorts();
    }
    return switch (plan.node().nodePortAddresses()) {
      case NodePortAddresses.All() ->
          Set.of(fixture.source(Origin.NODE), fixture.secondNodeAddress()).contains(to);
      case NodePortAddresses.Only(List<IpAddress> addresses) -> addresses.contains(to);
    };
  }

  private ExpectedOutcome verdict(
      ServicePlan service, Frontend front, Origin from, IpAddress source) {
    boolean fromPod = isLocalPod(plan.node(), source);
    boolean fromNode = from == Origin.NODE;
    if (service.choice().any()
        && !front.sources().isEmpty()
        && front.sources().stream().noneMatch(range -> range.contains(source))) {
      return new ExpectedOutcome.Dropped();
    }
    if (!front.inside().isEmpty() && (fromPod || fromNode)) {
      return reaches(service, front.inside(), fromNode, source);
    }
    return switch (front.verdict()) {
      case TrafficVerdict.Reject(_) -> new ExpectedOutcome.Rejected();
      case TrafficVerdict.Drop(_) -> new ExpectedOutcome.Dropped();
      case TrafficVerdict.Forward(List<Backend> to, TrafficVerdict.Masquerade masquerade) ->
          reaches(
              service,
              to,
              switch (masquerade) {
                case ALWAYS -> true;
                case NEVER -> false;
                case UNLESS_LOCAL_POD -> !fromPod;
              },
              source);
    };
  }

  private ExpectedOutcome reaches(
      ServicePlan service, List<Backend> to, boolean masqueraded, IpAddress source) {
    boolean hairpin = to.stream().allMatch(endpoint -> endpoint.address().equals(source));
    return new ExpectedOutcome.Reaches(
        to.stream().map(endpoint -> name(endpoint.address())).collect(Collectors.toSet()),
        masqueraded || hairpin,
        service.port().stickySeconds() > 0,
        to.getFirst().port());
  }

  private String name(IpAddress address) {
    return names.getOrDefault(address, address.toString());
  }

  private static boolean isLocalPod(NodeFacts node, IpAddress source) {
    return node.detector() instanceof LocalDetector.Source(var cidr) && cidr.contains(source);
  }
}
