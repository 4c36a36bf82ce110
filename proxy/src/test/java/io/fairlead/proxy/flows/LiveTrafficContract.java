package io.fairlead.proxy.flows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import io.fairlead.proxy.testing.PlanFollower;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How connections are spread over endpoints and kept there, with real packets, in any mode that
/// chooses at random. A connection here is a datagram from a port that no other has had, so none
/// meets what the kernel remembers of another.
@Tag("system")
public abstract class LiveTrafficContract {
  protected static final int CONNECTIONS = 30_000;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int FIRST_PORT = 10_000;
  private static final Fixture FIXTURE = new Fixture(IpAddress.Family.IPV4, Protocol.UDP);
  private static final IpAddress SERVICE = IpAddress.parse("10.112.0.77");

  private final AtomicInteger ports = new AtomicInteger(FIRST_PORT);
  private Lab lab;
  private DataPlane plane;

  /// Opens the mode's plane for IPv4; what it does belongs into [Lab#node].
  protected abstract DataPlane open(Lab lab);

  @BeforeEach
  final void build() {
    lab = Lab.create();
    plane = open(lab);
  }

  @AfterEach
  final void remove() {
    plane.close();
    lab.close();
  }

  protected final DataPlane plane() {
    return plane;
  }

  protected static Plan plan(int stickySeconds, String... endpoints) {
    ServicePort port =
        new ServicePort(
            new ServicePortName("shop", "traffic", "", Protocol.UDP),
            SERVICE,
            80,
            0,
            List.of(),
            List.of(),
            List.of(),
            TrafficPolicy.CLUSTER,
            TrafficPolicy.CLUSTER,
            stickySeconds,
            0);
    List<Backend> backends =
        Stream.of(endpoints)
            .map(name -> Backend.ready(FIXTURE.endpoint(name), 8080, name.startsWith("L")))
            .toList();
    var node = FIXTURE.node(Setup.STANDARD);
    return Plan.empty(node).with(ServicePlan.of(port, backends, node));
  }

  /// Who answers many clients, each with a socket of its own.
  protected final Map<String, Integer> answers(int times) {
    return lab.namespace(Origin.POD)
        .call(
            () -> {
              Map<String, Integer> answers = new HashMap<>();
              for (int i = 0; i < times; i++) {
                answers.merge(ask(), 1, Integer::sum);
              }
              return answers;
            });
  }

  private String ask() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(ports.getAndIncrement())) {
      socket.setSoTimeout((int) LIMIT.toMillis());
      socket.connect(new InetSocketAddress(InetAddress.getByAddress(SERVICE.toBytes()), 80));
      socket.send(new DatagramPacket(new byte[] {'?'}, 1));
      DatagramPacket answer = new DatagramPacket(new byte[256], 256);
      socket.receive(answer);
      return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.UTF_8)
          .split(" ")[0];
    }
  }

  @Test
  @Tag("slow")
  final void connectionsAreSpreadEvenly() {
    PlanFollower.apply(plane, plan(0, "L1", "L2", "R1"));
    Map<String, Integer> answers = answers(CONNECTIONS);
    // Five standard deviations of a fair choice: wrong once in a million runs.
    double share = CONNECTIONS / 3.0;
    double bound = 5 * Math.sqrt(CONNECTIONS * (1 / 3.0) * (2 / 3.0));
    assertThat(answers.keySet()).containsExactlyInAnyOrder("L1", "L2", "R1");
    assertThat(answers.values())
        .allSatisfy(count -> assertThat((double) count).isBetween(share - bound, share + bound));
    spread(CONNECTIONS);
  }

  /// What else must hold after so many connections.
  protected void spread(int connections) {}

  @Test
  final void aClientStaysWithItsEndpointUntilItGoes() {
    PlanFollower.apply(plane, plan(3600, "L1", "L2", "R1"));
    Map<String, Integer> first = answers(20);
    assertThat(first).hasSize(1);
    String endpoint = first.keySet().iterator().next();
    // Another endpoint leaves and comes back: nothing changes for this client.
    List<String> others =
        Stream.of("L1", "L2", "R1").filter(name -> !name.equals(endpoint)).toList();
    PlanFollower.apply(
        plane, plan(3600, Stream.of(endpoint, others.get(0)).sorted().toArray(String[]::new)));
    assertThat(answers(20)).containsOnlyKeys(endpoint);
    PlanFollower.apply(plane, plan(3600, "L1", "L2", "R1"));
    assertThat(answers(20)).containsOnlyKeys(endpoint);
    // Its own leaves: it gets another one, and stays with that.
    PlanFollower.apply(plane, plan(3600, others.toArray(String[]::new)));
    Map<String, Integer> moved = answers(20);
    assertThat(moved).hasSize(1);
    assertThat(others).containsAll(moved.keySet());
  }

  @Test
  final void affinityEndsWithItsTime() {
    PlanFollower.apply(plane, plan(1, "L1", "L2", "R1"));
    assertThat(answers(3)).isNotEmpty();
    // With one second of memory and pauses longer than that, all endpoints are seen in time.
    Map<String, Integer> seen = new HashMap<>();
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(2100))
        .until(
            () -> {
              answers(1).forEach((name, count) -> seen.merge(name, count, Integer::sum));
              return seen.size() > 1;
            });
  }

  @Test
  final void aRemovedServiceAnswersNoNewConnection() {
    PlanFollower.apply(plane, plan(0, "L1"));
    assertThat(answers(1)).containsOnlyKeys("L1");
    PlanFollower.apply(plane, Plan.empty(FIXTURE.node(Setup.STANDARD)));
    assertThat(
            lab.call(
                Origin.POD,
                FIXTURE.source(Origin.POD),
                SERVICE,
                80,
                Protocol.UDP,
                Duration.ofMillis(400)))
        .isNotInstanceOf(Attempt.Reached.class);
  }
}
