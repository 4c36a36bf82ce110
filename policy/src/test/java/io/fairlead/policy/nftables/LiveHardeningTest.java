package io.fairlead.policy.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.LoggedPacket;
import io.fairlead.kernel.nftables.PacketLogListener;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.World;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Section 11 of the specification: ways past the rules that must be shut, with real packets.
@Tag("system")
class LiveHardeningTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int DENIED_MILLIS = 300;
  private static final String X_A = "10.244.1.11";
  private static final String FROM_Y =
      "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{namespaceSelector: {matchLabels:"
          + " {ns: 'y'}}}]%s}]}";
  private static final String CLOSED = "{podSelector: {}, policyTypes: [Ingress, Egress]}";

  private static PolicyLab lab;
  private final World world = new World();
  private KernelPolicyTable table;

  @BeforeAll
  static void build() {
    lab = PolicyLab.create();
  }

  @AfterAll
  static void remove() {
    lab.close();
  }

  @BeforeEach
  void open() {
    TableSettings settings =
        new TableSettings(
            World.node("node1").podRanges(),
            List.of(Cidr.parse("10.244.0.0/16")),
            false,
            TableSettings.LOG_GROUP,
            TableSettings.CUT_LABEL);
    table = lab.node().call(() -> KernelPolicyTable.open(IpAddress.Family.IPV4, settings));
  }

  @AfterEach
  void clean() {
    table.remove();
    table.close();
    PolicyLab.run(lab.node(), "nft delete table ip firewall; conntrack -F");
  }

  private void enforce(String spec) {
    world.putPolicy("p", spec);
    table.reconcile(world.plan("node1"));
  }

  /// Whether datagrams of a length come through and back.
  private static boolean asks(NetworkNamespace from, String source, int port, int length) {
    return from.call(
        () -> {
          try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(source, 0))) {
            socket.setSoTimeout(DENIED_MILLIS);
            socket.connect(new InetSocketAddress(X_A, port));
            socket.send(new DatagramPacket(new byte[length], length));
            socket.receive(new DatagramPacket(new byte[64], 64));
            return true;
          } catch (SocketTimeoutException _) {
            return false;
          }
        });
  }

  /// @param where the namespace that lies
  /// @param source whose address it takes
  private record Lie(String name, String where, String source) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Lie> lies() {
    return Stream.of(
        new Lie("PX1 a pod as its neighbour", "xb", "10.244.1.21"),
        new Lie("PX1 a pod as a pod of another node", "xb", "10.244.2.23"),
        new Lie("PX1 a pod as an address nobody has", "xb", "10.244.1.99"),
        new Lie("PX1 a host of the node's network as a pod", "ext", "10.244.1.21"));
  }

  @ParameterizedTest
  @MethodSource("lies")
  void nobodySendsFromAPodsAddressButThatPod(Lie lie) {
    enforce(FROM_Y.formatted(""));
    NetworkNamespace where = lab.namespace(lie.where());
    PolicyLab.run(where, "ip addr add " + lie.source() + "/32 dev lo");
    try {
      assertThat(asks(where, lie.source(), 80, 1)).isFalse();
      assertThat(table.counters().spoofed()).isOne();
    } finally {
      if (!PolicyLab.OUTSIDE.contains(lie.source()) || !lie.where().equals("ext")) {
        PolicyLab.run(where, "ip addr del " + lie.source() + "/32 dev lo");
      }
    }
  }

  @Test
  void px4PacketsInMidStreamAreJudgedAsNew() throws IOException {
    try (ServerSocket server = lab.at(IpAddress.parse(X_A)).call(() -> new ServerSocket(7000, 8));
        Socket client =
            lab.namespace("zb")
                .call(
                    () -> {
                      Socket made = new Socket();
                      made.connect(new InetSocketAddress(X_A, 7000), (int) LIMIT.toMillis());
                      return made;
                    });
        Socket accepted = server.accept()) {
      client.getOutputStream().write(1);
      assertThat(accepted.getInputStream().read()).isOne();
      enforce(FROM_Y.formatted(""));
      PolicyLab.run(lab.node(), "conntrack -F");
      client.getOutputStream().write(2);
      accepted.setSoTimeout(DENIED_MILLIS);
      assertThatThrownBy(() -> accepted.getInputStream().read())
          .isInstanceOf(SocketTimeoutException.class);
      world.removePolicy("x", "p");
      table.reconcile(world.plan("node1"));
      accepted.setSoTimeout((int) LIMIT.toMillis());
      assertThat(accepted.getInputStream().read()).as("it is sent again").isEqualTo(2);
    }
  }

  @Test
  void px5NothingTunnelsThroughIcmp() {
    enforce(CLOSED);
    assertThat(ping("10.244.1.11", "192.0.2.9")).isFalse();
    assertThat(ping("10.244.1.11", "10.244.1.21")).isFalse();
    assertThat(ping("10.244.1.11", "192.168.0.1")).as("its own node").isTrue();
  }

  private static boolean ping(String from, String to) {
    return lab.reaches(
        IpAddress.parse(from), IpAddress.parse(to), "ICMP", 0, Duration.ofSeconds(1));
  }

  @Test
  void px7FragmentsAreJudgedByThePortOfTheFirst() {
    enforce(FROM_Y.formatted(", ports: [{protocol: UDP, port: 80}]"));
    assertThat(asks(lab.namespace("ya"), "10.244.1.21", 80, 4000)).isTrue();
    assertThat(asks(lab.namespace("ya"), "10.244.1.21", 81, 4000)).isFalse();
    assertThat(asks(lab.namespace("zb"), "10.244.1.32", 80, 4000)).isFalse();
  }

  @Test
  void pv71ErrorsOfAllowedConnectionsPass() {
    enforce(
        "{podSelector: {matchLabels: {pod: a}}, policyTypes: [Ingress, Egress], egress: [{to:"
            + " [{ipBlock: {cidr: 192.0.2.0/24}}], ports: [{protocol: UDP}]}]}");
    assertThat(ping("192.0.2.9", X_A)).isFalse();
    String answer =
        lab.at(IpAddress.parse(X_A))
            .call(
                () -> {
                  try (DatagramSocket socket = new DatagramSocket()) {
                    socket.setSoTimeout((int) LIMIT.toMillis());
                    socket.connect(new InetSocketAddress("192.0.2.9", 9999));
                    socket.send(new DatagramPacket(new byte[1], 1));
                    socket.receive(new DatagramPacket(new byte[1], 1));
                    return "an answer";
                  } catch (PortUnreachableException _) {
                    return "port unreachable";
                  }
                });
    assertThat(answer).isEqualTo("port unreachable");
  }

  @Test
  void pv72WhatAHostFirewallDropsStaysDroppedAndIsNotCountedHere() {
    for (String command :
        List.of(
            "add table ip firewall",
            "add chain ip firewall forward '{ type filter hook forward priority 0; policy drop;"
                + " }'")) {
      assertThat(PolicyLab.run(lab.node(), "nft " + command).error()).isEmpty();
    }
    enforce(FROM_Y.formatted(""));
    assertThat(asks(lab.namespace("ya"), "10.244.1.21", 80, 1)).isFalse();
    assertThat(table.counters().drops().get(Direction.INGRESS))
        .containsEntry(IpAddress.parse(X_A), 0L);
    assertThat(table.counters().unknown()).isZero();
  }

  @Test
  void pv99AndPx10AFloodIsCountedWholeAndLoggedAtAPace() {
    enforce(CLOSED);
    int packets = 2000;
    List<LoggedPacket> logged = new CopyOnWriteArrayList<>();
    long start = System.nanoTime();
    try (PacketLogListener listener =
        lab.node()
            .call(
                () ->
                    PacketLogListener.start(TableSettings.LOG_GROUP, 128, logged::add, () -> {}))) {
      assertThat(listener).isNotNull();
      lab.namespace("ext")
          .run(
              () -> {
                try (DatagramSocket socket =
                    new DatagramSocket(new InetSocketAddress("192.0.2.9", 0))) {
                  socket.connect(new InetSocketAddress(X_A, 80));
                  for (int i = 0; i < packets; i++) {
                    socket.send(new DatagramPacket(new byte[1], 1));
                  }
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              });
      await().atMost(LIMIT).until(() -> dropped() == packets && !logged.isEmpty());
    }
    long seconds = 1 + (System.nanoTime() - start) / 1_000_000_000;
    assertThat(logged).hasSizeLessThanOrEqualTo((int) (5 + seconds));
  }

  private long dropped() {
    return Objects.requireNonNull(table.counters().drops().get(Direction.INGRESS))
        .getOrDefault(IpAddress.parse(X_A), 0L);
  }
}
