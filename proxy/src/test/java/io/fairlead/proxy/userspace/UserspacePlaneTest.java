package io.fairlead.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.config.ProxyPortRange;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.proxy.userspace.rules.RedirectRoute;
import io.fairlead.proxy.userspace.rules.Redirects;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Plans carried out with listeners on loopback and redirects in memory.
class UserspacePlaneTest {
  private static final IpAddress HERE = IpAddress.parse("127.0.0.1");
  private static final NodeFacts NODE = NodeFacts.of("node-a", HERE);
  private static final RedirectRoute.Destination FRONT =
      new RedirectRoute.Destination(IpAddress.parse("10.96.0.1"), Protocol.TCP, 80);

  /// A kernel that remembers nothing.
  private static final class NoFlows implements ConntrackTable {
    @Override
    public List<UdpFlow> udpFlows(IpAddress.Family family) {
      return List.of();
    }

    @Override
    public int forget(List<UdpFlow> flows) {
      return 0;
    }
  }

  private final FakeRedirects redirects = new FakeRedirects();
  private UserspacePlane plane = open(UserspaceSettings.standard(2, List.of()), redirects);

  private static UserspacePlane open(UserspaceSettings settings, Redirects redirects) {
    return UserspacePlane.open(
        IpAddress.Family.IPV4, settings, redirects, new NoFlows(), Ticker.system(), new Random(1));
  }

  @AfterEach
  void close() {
    plane.closeNow();
  }

  private static ServicePlan service(
      String name, String clusterIp, int nodePort, boolean local, List<Backend> backends) {
    TrafficPolicy policy = local ? TrafficPolicy.LOCAL : TrafficPolicy.CLUSTER;
    ServicePort port =
        new ServicePort(
            new ServicePortName("shop", name, "", Protocol.TCP),
            IpAddress.parse(clusterIp),
            80,
            nodePort,
            List.of(),
            List.of(),
            List.of(),
            TrafficPolicy.CLUSTER,
            policy,
            0,
            0,
            Map.of());
    return ServicePlan.of(port, backends, NODE);
  }

  private static Backend backend(int port, boolean local) {
    return Backend.ready(IpAddress.parse("10.64.1.11"), port, local);
  }

  private static ServicePlan cart(Backend... backends) {
    return service("cart", "10.96.0.1", 0, false, List.of(backends));
  }

  private RedirectRoute route(RedirectRoute.Destination destination) {
    return Objects.requireNonNull(redirects.routes.get(destination));
  }

  @Test
  void aServiceGetsAListenerAndARouteToIt() {
    PlanFollower.apply(plane, Plan.empty(NODE).with(cart(backend(80, true))));
    assertThat(route(FRONT).way()).isInstanceOf(RedirectRoute.Action.To.class);
    assertThat(route(FRONT).clusterIp()).isTrue();
  }

  @Test
  void aChangeOfEndpointsTouchesNoRule() {
    Plan plan = Plan.empty(NODE).with(cart(backend(80, true)));
    PlanFollower.apply(plane, plan);
    RedirectRoute before = route(FRONT);
    assertThat(
            PlanFollower.apply(plane, plan.with(cart(backend(80, true), backend(81, true))))
                .writes())
        .isZero();
    assertThat(route(FRONT)).isEqualTo(before);
    assertThat(redirects.calls).hasSize(1);
  }

  @Test
  void aServiceWithoutEndpointsIsRefusedAndComesBack() {
    Plan plan = Plan.empty(NODE).with(cart(backend(80, true)));
    PlanFollower.apply(plane, plan);
    PlanFollower.apply(plane, plan.with(cart()));
    assertThat(route(FRONT).way()).isEqualTo(new RedirectRoute.Action.Refuse());
    PlanFollower.apply(plane, plan);
    assertThat(route(FRONT).way()).isInstanceOf(RedirectRoute.Action.To.class);
  }

  @Test
  void localPolicyHasAListenerForTheNodeAndOneForAll() {
    ServicePlan mixed =
        service("web", "10.96.0.1", 30080, true, List.of(backend(80, true), backend(81, false)));
    PlanFollower.apply(plane, Plan.empty(NODE).with(mixed));
    RedirectRoute nodePort = route(new RedirectRoute.Destination(null, Protocol.TCP, 30080));
    assertThat(nodePort.inside()).isNotNull();
    assertThat(nodePort.way())
        .isNotEqualTo(new RedirectRoute.Action.To(Objects.requireNonNull(nodePort.inside())));
    assertThat(route(FRONT).way()).isEqualTo(new RedirectRoute.Action.To(nodePort.inside()));
    // The last endpoint here goes: traffic from outside is dropped, from inside it is not.
    PlanFollower.apply(
        plane,
        Plan.empty(NODE)
            .with(service("web", "10.96.0.1", 30080, true, List.of(backend(81, false)))));
    RedirectRoute now = route(new RedirectRoute.Destination(null, Protocol.TCP, 30080));
    assertThat(now.way()).isEqualTo(new RedirectRoute.Action.Drop());
    assertThat(now.inside()).isEqualTo(nodePort.inside());
  }

  @Test
  void u8TheFirstOwnerOfANodePortKeepsItAndTheNextInherits() {
    ServicePlan first = service("a", "10.96.0.1", 30080, false, List.of(backend(80, true)));
    ServicePlan second = service("b", "10.96.0.2", 30080, false, List.of(backend(81, true)));
    RedirectRoute.Destination contested = new RedirectRoute.Destination(null, Protocol.TCP, 30080);
    PlanFollower.apply(plane, Plan.empty(NODE).with(first));
    Plan both = Plan.empty(NODE).with(first).with(second);
    PlanFollower.apply(plane, both);
    assertThat(route(contested).owner()).isEqualTo("shop/a");
    PlanFollower.apply(plane, both.without(first.name()));
    assertThat(route(contested).owner()).isEqualTo("shop/b");
  }

  @Test
  void afterARefusalEverythingIsWrittenAnew() {
    Plan plan = Plan.empty(NODE).with(cart(backend(80, true)));
    PlanFollower.apply(plane, plan);
    redirects.broken = true;
    Plan more = plan.with(service("b", "10.96.0.2", 0, false, List.of(backend(81, true))));
    assertThatThrownBy(() -> PlanFollower.apply(plane, more))
        .isInstanceOf(DataPlaneException.class);
    redirects.broken = false;
    redirects.routes.clear();
    assertThat(PlanFollower.apply(plane, more).full()).isTrue();
    assertThat(redirects.routes).hasSize(2);
  }

  @Test
  void sctpIsRefused() {
    ServicePort port =
        new ServicePort(
            new ServicePortName("shop", "cart", "", Protocol.SCTP),
            IpAddress.parse("10.96.0.1"),
            80,
            0,
            List.of(),
            List.of(),
            List.of(),
            TrafficPolicy.CLUSTER,
            TrafficPolicy.CLUSTER,
            0,
            0);
    PlanFollower.apply(
        plane, Plan.empty(NODE).with(ServicePlan.of(port, List.of(backend(80, true)), NODE)));
    assertThat(redirects.routes.values())
        .allSatisfy(route -> assertThat(route.way()).isEqualTo(new RedirectRoute.Action.Refuse()));
  }

  @Test
  void removingLeavesNothing() {
    PlanFollower.apply(plane, Plan.empty(NODE).with(cart(backend(80, true))));
    plane.removeAll();
    assertThat(redirects.routes).isEmpty();
    assertThat(plane.observe().traffic()).isEmpty();
  }

  @Test
  void portsComeFromTheRangeAndOneServiceTooManyIsRefusedAlone() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    plane.closeNow();
    plane =
        open(
            UserspaceSettings.standard(2, List.of()).withPorts(new ProxyPortRange(free, free)),
            redirects);
    PlanFollower.apply(plane, Plan.empty(NODE).with(cart(backend(80, true))));
    assertThat(route(FRONT).way())
        .isEqualTo(new RedirectRoute.Action.To(new RedirectRoute.Socket(HERE, free)));
    PlanFollower.apply(
        plane,
        Plan.empty(NODE)
            .with(cart(backend(80, true)))
            .with(service("b", "10.96.0.2", 0, false, List.of(backend(81, true)))));
    assertThat(
            route(new RedirectRoute.Destination(IpAddress.parse("10.96.0.2"), Protocol.TCP, 80))
                .way())
        .isEqualTo(new RedirectRoute.Action.Refuse());
    assertThat(route(FRONT).way()).isInstanceOf(RedirectRoute.Action.To.class);
  }

  @Test
  void boundToLoopbackItServesWithoutRulesUnderTheNodePort() throws IOException {
    plane.closeNow();
    plane = open(UserspaceSettings.standard(2, List.of()).withBind(HERE), Redirects.none());
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    PlanFollower.apply(
        plane,
        Plan.empty(NODE)
            .with(service("web", "10.96.0.1", port, false, List.of(backend(80, true)))));
    assertThat(plane.observe().listing()).contains("tcp 127.0.0.1:" + port + " shop/web/tcp");
    // It stays open while the Service has no endpoint: clients are accepted and closed.
    PlanFollower.apply(
        plane, Plan.empty(NODE).with(service("web", "10.96.0.1", port, false, List.of())));
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client.setSoTimeout(60_000);
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }
}
