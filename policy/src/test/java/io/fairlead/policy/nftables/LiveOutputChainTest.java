package io.fairlead.policy.nftables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NativeSocketAddress;
import io.fairlead.kernel.syscall.NonBlockingSockets;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.World;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// PV69: in mode ipvs the kernel sends a connection of a pod to its endpoint by `output`, from the
/// pod's own address. That it does is shown where the kernel has a balancer
/// (`IpvsBehaviourInGuest`); that kernel has no nftables for addresses. Here a transparent socket
/// of the node sends the same packets, and the table judges them.
@Tag("system")
class LiveOutputChainTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int PORT = 80;
  private static final int IPPROTO_IP = 0;
  private static final int IP_TRANSPARENT = 19;
  private static final int IPV6_TRANSPARENT = 75;

  private static PolicyLab lab;

  @BeforeAll
  static void build() {
    lab = PolicyLab.create();
  }

  @AfterAll
  static void remove() {
    lab.close();
  }

  @ParameterizedTest
  @EnumSource
  void pv69WhatTheBalancerSendsOnIsJudgedAsTheClients(IpAddress.Family family) throws IOException {
    boolean ipv4 = family == IpAddress.Family.IPV4;
    World world = new World(family);
    world.putPolicy(
        "p",
        "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: [{podSelector: {matchLabels: {pod:"
            + " b}}}]}]}");
    IpAddress target = IpAddress.parse(PolicyLab.address("xa", ipv4));
    TableSettings settings =
        new TableSettings(
            World.node("node1").podRanges(),
            List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/32")),
            false,
            0,
            TableSettings.CUT_LABEL);
    try (KernelPolicyTable table =
        lab.node().call(() -> KernelPolicyTable.open(family, settings))) {
      table.reconcile(world.plan("node1"));
      try (DatagramSocket client = socket(PolicyLab.address("xb", ipv4))) {
        sendOn(client, target);
        client.setSoTimeout((int) LIMIT.toMillis());
        DatagramPacket answer = new DatagramPacket(new byte[16], 16);
        client.receive(answer);
        assertThat(answer.getAddress()).isEqualTo(PolicyLab.inet(target));
      }
      assertThat(dropped(table, target)).isZero();
      try (DatagramSocket client = socket(PolicyLab.address("yb", ipv4))) {
        sendOn(client, target);
        await().atMost(LIMIT).until(() -> dropped(table, target) == 1);
      }
      table.remove();
    }
  }

  private static DatagramSocket socket(String address) {
    return lab.at(IpAddress.parse(address))
        .call(() -> new DatagramSocket(new InetSocketAddress(address, 0)));
  }

  private static long dropped(KernelPolicyTable table, IpAddress target) {
    return Objects.requireNonNull(table.counters().drops().get(Direction.INGRESS))
        .getOrDefault(target, 0L);
  }

  /// The node sends a datagram that has the client's address and port as its source.
  private static void sendOn(DatagramSocket client, IpAddress target) {
    IpAddress source = IpAddress.ofBytes(client.getLocalAddress().getAddress());
    boolean ipv4 = source.isIpv4();
    lab.node()
        .run(
            () -> {
              try (NonBlockingSockets calls = new NonBlockingSockets();
                  Arena arena = Arena.ofConfined()) {
                int socket =
                    calls.open(
                        ipv4 ? NonBlockingSockets.AF_INET : NonBlockingSockets.AF_INET6,
                        NonBlockingSockets.SOCK_DGRAM);
                assertThat(
                        ipv4
                            ? calls.set(socket, IPPROTO_IP, IP_TRANSPARENT, 1)
                            : calls.set(
                                socket, NonBlockingSockets.IPPROTO_IPV6, IPV6_TRANSPARENT, 1))
                    .isZero();
                assertThat(
                        calls.bind(socket, at(calls.newAddress(), source, client.getLocalPort())))
                    .isZero();
                // What `output` drops is no error of UDP here and an EPERM there.
                long _ =
                    calls.sendTo(
                        socket,
                        arena.allocate(1).address(),
                        1,
                        at(calls.newAddress(), target, PORT));
                assertThat(calls.close(socket)).isZero();
              }
            });
  }

  private static NativeSocketAddress at(NativeSocketAddress fill, IpAddress address, int port) {
    return fill.set(address.isIpv4(), address.high(), address.low(), port);
  }
}
