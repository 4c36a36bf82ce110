package io.fairlead.proxy.userspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.time.Ticker;
import io.fairlead.proxy.config.PortRange;
import io.fairlead.proxy.conntrack.FlowTable;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import io.fairlead.proxy.userspace.rules.Redirects;
import io.fairlead.proxy.userspace.rules.Route;
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
  private static final Route.Destination FRONT =
      new Route.Destination(IpAddress.parse("10.96.0.1"), Protocol.TCP, 80);

  /// A kernel that remembers nothing.
  private static final class NoFlows implements FlowTable {
    @Override
    public List<UdpFlow> udpFlows(IpAddress.Family family) {
      return List.of();
    }

    @Override
    public boolean forget(UdpFlow flow) {
      return false;
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

  private Route route(Route.Destination destination) {
    return Objects.requireNonNull(redirects.routes.get(destination));
  }

  @Test
  void aServiceGetsAListenerAndARouteToIt() {
    plane.apply(Plan.empty(NODE).with(cart(backend(80, true))));
    assertThat(route(FRONT).way()).isInstanceOf(Route.Way.To.class);
    assertThat(route(FRONT).clusterIp()).isTrue();
  }

  @Test
  void aChangeOfEndpointsTouchesNoRule() {
    Plan plan = Plan.empty(NODE).with(cart(backend(80, true)));
    plane.apply(plan);
    Route before = route(FRONT);
    assertThat(plane.apply(plan.with(cart(backend(80, true), backend(81, true)))).writes())
        .isZero();
    assertThat(route(FRONT)).isEqualTo(before);
    assertThat(redirects.calls).hasSize(1);
  }

  @Test
  void aServiceWithoutEndpointsIsRefusedAndComesBack() {
    Plan plan = Plan.empty(NODE).with(cart(backend(80, true)));
    plane.apply(plan);
    plane.apply(plan.with(cart()));
    assertThat(route(FRONT).way()).isEqualTo(new Route.Way.Refuse());
    plane.apply(plan);
    assertThat(route(FRONT).way()).isInstanceOf(Route.Way.To.class);
  }

  @Test
  void localPolicyHasAListenerForTheNodeAndOneForAll() {
    ServicePlan mixed =
        service("web", "10.96.0.1", 30080, true, List.of(backend(80, true), backend(81, false)));
    plane.apply(Plan.empty(NODE).with(mixed));
    Route nodePort = route(new Route.Destination(null, Protocol.TCP, 30080));
    assertThat(nodePort.inside()).isNotNull();
    assertThat(nodePort.way())
        .isNotEqualTo(new Route.Way.To(Objects.requireNonNull(nodePort.inside())));
    assertThat(route(FRONT).way()).isEqualTo(new Route.Way.To(nodePort.inside()));
    // The last endpoint here goes: traffic from outside is dropped, from inside it is not.
    plane.apply(
        Plan.empty(NODE)
            .with(service("web", "10.96.0.1", 30080, true, List.of(backend(81, false)))));
    Route now = route(new Route.Destination(null, Protocol.TCP, 30080));
    assertThat(now.way()).isEqualTo(new Route.Way.Drop());
    assertThat(now.inside()).isEqualTo(nodePort.inside());
  }

  @Test
  void u8TheFirstOwnerOfANodePortKeepsItAndTheNextInherits() {
    ServicePlan first = service("a", "10.96.0.1", 30080, false, List.of(backend(80, true)));
    ServicePlan second = service("b", "10.96.0.2", 30080, false, List.of(backend(81, true)));
    Route.Destination contested = new Route.Destination(null, Protocol.TCP, 30080);
    plane.apply(Plan.empty(NODE).with(first));
    Plan both = Plan.empty(NODE).with(first).with(second);
    plane.apply(both);
    assertThat(route(contested).owner()).isEqualTo("shop/a");
    plane.apply(both.without(first.name()));
    assertThat(route(contested).owner()).isEqualTo("shop/b");
  }

  @Test
  void afterARefusalEverythingIsWrittenAnew() {
    Plan plan = Plan.empty(NODE).with(cart(backend(80, true)));
    plane.apply(plan);
    redirects.broken = true;
    Plan more = plan.with(service("b", "10.96.0.2", 0, false, List.of(backend(81, true))));
    assertThatThrownBy(() -> plane.apply(more)).isInstanceOf(DataPlaneException.class);
    redirects.broken = false;
    redirects.routes.clear();
    assertThat(plane.apply(more).full()).isTrue();
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
    plane.apply(Plan.empty(NODE).with(ServicePlan.of(port, List.of(backend(80, true)), NODE)));
    assertThat(redirects.routes.values())
        .allSatisfy(route -> assertThat(route.way()).isEqualTo(new Route.Way.Refuse()));
  }

  @Test
  void removingLeavesNothing() {
    plane.apply(Plan.empty(NODE).with(cart(backend(80, true))));
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
            UserspaceSettings.standard(2, List.of()).withPorts(new PortRange(free, free)),
            redirects);
    plane.apply(Plan.empty(NODE).with(cart(backend(80, true))));
    assertThat(route(FRONT).way()).isEqualTo(new Route.Way.To(new Route.Socket(HERE, free)));
    plane.apply(
        Plan.empty(NODE)
            .with(cart(backend(80, true)))
            .with(service("b", "10.96.0.2", 0, false, List.of(backend(81, true)))));
    assertThat(route(new Route.Destination(IpAddress.parse("10.96.0.2"), Protocol.TCP, 80)).way())
        .isEqualTo(new Route.Way.Refuse());
    assertThat(route(FRONT).way()).isInstanceOf(Route.Way.To.class);
  }

  @Test
  void boundToLoopbackItServesWithoutRulesUnderTheNodePort() throws IOException {
    plane.closeNow();
    plane = open(UserspaceSettings.standard(2, List.of()).withBind(HERE), Redirects.none());
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    plane.apply(
        Plan.empty(NODE)
            .with(service("web", "10.96.0.1", port, false, List.of(backend(80, true)))));
    assertThat(plane.observe().listing()).contains("tcp 127.0.0.1:" + port + " shop/web/tcp");
    // It stays open while the Service has no endpoint: clients are accepted and closed.
    plane.apply(Plan.empty(NODE).with(service("web", "10.96.0.1", port, false, List.of())));
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
      client.setSoTimeout(60_000);
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }
}
