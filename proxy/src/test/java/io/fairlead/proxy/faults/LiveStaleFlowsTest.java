package io.fairlead.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.conntrack.ConntrackTable.UdpFlow;
import io.fairlead.proxy.conntrack.ConntrackWorker;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.Destination;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.monitoring.ProxyMetrics;
import io.fairlead.proxy.testing.ProxyTestObjects;
import io.fairlead.work.Ticker;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// A client outside keeps its UDP source port while the last endpoint of its Service goes: real
/// packets to every kind of address a Service has. What it sends afterwards must not reach the pod
/// that is no endpoint any more, which still listens.
@Tag("system")
class LiveStaleFlowsTest {
  private static final Duration ANSWER = Duration.ofSeconds(20);
  private static final Duration SILENCE = Duration.ofMillis(300);
  // Every row has ports of its own: entries of the row before say where its packets went.
  private static final AtomicInteger SOURCE_PORTS = new AtomicInteger(40_000);
  private static final List<Destination.Place> PLACES =
      List.of(
          Destination.Place.PRIMARY,
          Destination.Place.SECOND,
          Destination.Place.EXTERNAL_IP,
          Destination.Place.LOAD_BALANCER);

  private static final int FLOWS = Integer.getInteger("fairlead.flows", 500);
  private static final int FIRST_PORT = 21_000;

  private static Lab lab;

  @BeforeAll
  static void build() {
    lab = Lab.create();
  }

  @AfterAll
  static void remove() {
    lab.close();
  }

  /// How the endpoint goes.
  enum Removal {
    LAST_ENDPOINT,
    LAST_ENDPOINT_WHILE_THE_PROXY_IS_DOWN,
    ADDRESSES_AND_NODE_PORT,
    SERVICE
  }

  /// One way of losing the endpoint in one mode and family.
  record Row(String mode, IpAddress.Family family, Removal removal) {}

  static Stream<Row> rows() {
    return Stream.of("nftables", "iptables")
        .flatMap(
            mode ->
                Stream.of(IpAddress.Family.values())
                    .flatMap(
                        family ->
                            Stream.of(Removal.values())
                                .map(removal -> new Row(mode, family, removal))));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void noDatagramReachesAnEndpointThatWasRemoved(Row row) {
    Fixture fixture = new Fixture(row.family, Protocol.UDP);
    Plan empty = Plan.empty(fixture.node(Setup.STANDARD));
    Plan serving = fixture.plan(Setup.STANDARD);
    Plan removed = removed(fixture, row.removal);
    int ports = SOURCE_PORTS.getAndAdd(PLACES.size());
    LiveProxy.FlowsInside flows = new LiveProxy.FlowsInside(lab.node());
    try (DataPlane plane = Churn.open(row.mode, lab.node(), row.family);
        ConntrackWorker worker = new ConntrackWorker(flows, new ProxyMetrics(), Ticker.system())) {
      plane.apply(serving, PlanDiff.between(empty, serving));
      worker.changed(row.family, PlanDiff.between(empty, serving));
      for (Destination.Place place : PLACES) {
        assertThat(call(fixture, place, ports + PLACES.indexOf(place), ANSWER))
            .as("%s, before", place)
            .isInstanceOf(Attempt.Reached.class);
      }
      plane.apply(removed, PlanDiff.between(serving, removed));
      Plan known = row.removal == Removal.LAST_ENDPOINT_WHILE_THE_PROXY_IS_DOWN ? empty : serving;
      worker.changed(row.family, PlanDiff.between(known, removed));
      await("conversations are forgotten")
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  flows.udpFlows(row.family).stream().noneMatch(flow -> leadsToPod(fixture, flow)));
      for (Destination.Place place : PLACES) {
        assertThat(call(fixture, place, ports + PLACES.indexOf(place), SILENCE))
            .as("%s, after", place)
            .isNotInstanceOf(Attempt.Reached.class);
      }
      plane.removeAll();
    }
  }

  /// F11: as many flows as asked for, one source port each, and a datagram of every one of them
  /// after the endpoint has gone: the pod gets none.
  @ParameterizedTest
  @ValueSource(strings = {"nftables", "iptables"})
  void manyFlowsLeaveTheirEndpointTogether(String mode) throws Exception {
    Fixture fixture = new Fixture(IpAddress.Family.IPV4, Protocol.UDP);
    Plan empty = Plan.empty(fixture.node(Setup.STANDARD));
    Plan serving = fixture.plan(Setup.STANDARD);
    Plan removed = removed(fixture, Removal.LAST_ENDPOINT);
    LiveProxy.FlowsInside flows = new LiveProxy.FlowsInside(lab.node());
    try (DataPlane plane = Churn.open(mode, lab.node(), IpAddress.Family.IPV4);
        ConntrackWorker worker =
            new ConntrackWorker(new Timed(flows), new ProxyMetrics(), Ticker.system())) {
      plane.apply(serving, PlanDiff.between(empty, serving));
      long before = received();
      sendFromMany(fixture);
      await("all datagrams arrived").atMost(ANSWER).until(() -> received() >= before + FLOWS);
      plane.apply(removed, PlanDiff.between(serving, removed));
      long start = System.nanoTime();
      worker.changed(IpAddress.Family.IPV4, PlanDiff.between(serving, removed));
      await("conversations are forgotten")
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(5))
          .until(
              () ->
                  flows.udpFlows(IpAddress.Family.IPV4).stream()
                      .noneMatch(flow -> leadsToPod(fixture, flow)));
      System.out.printf(
          "%s: %d flows forgotten after %.1f ms%n", mode, FLOWS, (System.nanoTime() - start) / 1e6);
      long after = received();
      sendFromMany(fixture);
      // What was sent before has arrived when this has.
      assertThat(call(fixture, Destination.Place.PRIMARY, 20_000, SILENCE))
          .isNotInstanceOf(Attempt.Reached.class);
      assertThat(flows.udpFlows(IpAddress.Family.IPV4))
          .noneMatch(flow -> leadsToPod(fixture, flow));
      assertThat(received()).as("datagrams at pods").isEqualTo(after);
      plane.removeAll();
    }
  }

  /// Prints how long the kernel takes to forget by patterns.
  private record Timed(ConntrackTable table) implements ConntrackTable {
    @Override
    public int forgetAll(IpAddress.Family family, List<FlowPattern> patterns) {
      long start = System.nanoTime();
      int forgotten = table.forgetAll(family, patterns);
      System.out.printf(
          "about %d flows forgotten by %d patterns in %.1f ms%n",
          forgotten, patterns.size(), (System.nanoTime() - start) / 1e6);
      return forgotten;
    }

    @Override
    public List<UdpFlow> udpFlows(IpAddress.Family family) {
      return table.udpFlows(family);
    }

    @Override
    public int forget(List<UdpFlow> stale) {
      return table.forget(stale);
    }
  }

  /// One datagram to the node port from each of many ports.
  private static void sendFromMany(Fixture fixture) throws Exception {
    Destination web = Destination.of("web", Destination.Place.PRIMARY);
    InetSocketAddress to = new InetSocketAddress(inet(fixture.address(web)), fixture.port(web));
    lab.namespace(Origin.EXTERNAL)
        .call(
            () -> {
              for (int i = 0; i < FLOWS; i++) {
                try (DatagramSocket socket =
                    new DatagramSocket(
                        new InetSocketAddress(
                            inet(fixture.source(Origin.EXTERNAL)), FIRST_PORT + i))) {
                  socket.send(new DatagramPacket(new byte[] {'?'}, 1, to));
                }
              }
              return true;
            });
  }

  /// UDP datagrams that servers of all pods got so far.
  private static long received() {
    long all = 0;
    for (String pod : List.of("L1", "R1")) {
      String[] numbers =
          CommandRunner.inside(lab.namespace(pod), ANSWER)
              .run("", List.of("cat", "/proc/net/snmp"))
              .output()
              .lines()
              .filter(line -> line.startsWith("Udp:"))
              .skip(1)
              .findFirst()
              .orElseThrow()
              .split(" ");
      // InDatagrams and InErrors: what came for a server, also when its buffer was full.
      all += Long.parseLong(numbers[1]) + Long.parseLong(numbers[3]);
    }
    return all;
  }

  private static boolean leadsToPod(Fixture fixture, UdpFlow flow) {
    return flow.replySource().port() == Fixture.TARGET_PORT
        && List.of(fixture.endpoint("L1"), fixture.endpoint("R1"))
            .contains(flow.replySource().address());
  }

  /// The fixture's Services where `web` has lost what leads to its pods.
  private static Plan removed(Fixture fixture, Removal removal) {
    List<ObjectNode> objects = fixture.objects();
    for (ObjectNode object : List.copyOf(objects)) {
      String name = Json.textOr(object, "", "metadata", "name");
      switch (removal) {
        case LAST_ENDPOINT, LAST_ENDPOINT_WHILE_THE_PROXY_IS_DOWN -> {
          if (name.equals("web-1")) {
            object.putArray("endpoints");
          }
        }
        case ADDRESSES_AND_NODE_PORT -> {
          if (name.equals("web")) {
            ObjectNode spec = Json.child(object, "spec");
            spec.put("type", "ClusterIP").remove("externalIPs");
            ((ObjectNode) spec.path("ports").get(0)).remove("nodePort");
            object.remove("status");
          }
        }
        case SERVICE -> {
          if (name.equals("web") || name.equals("web-1")) {
            objects.remove(object);
          }
        }
      }
    }
    return ProxyTestObjects.plan(fixture.node(Setup.STANDARD), objects);
  }

  private static Attempt call(Fixture fixture, Destination.Place place, int port, Duration limit) {
    Destination web = Destination.of("web", place);
    return Attempt.udp(
        lab.namespace(Origin.EXTERNAL),
        new InetSocketAddress(inet(fixture.source(Origin.EXTERNAL)), port),
        new InetSocketAddress(inet(fixture.address(web)), fixture.port(web)),
        limit);
  }

  private static InetAddress inet(IpAddress address) {
    try {
      return InetAddress.getByAddress(address.toBytes());
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
