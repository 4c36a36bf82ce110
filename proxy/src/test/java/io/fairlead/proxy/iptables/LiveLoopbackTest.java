package io.fairlead.proxy.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.EchoServer;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.testing.PlanFollower;
import io.fairlead.proxy.userspace.UserspaceTestPlanes;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A neighbour that sends packets for 127.0.0.1 over the wire (CVE-2020-8558). The node of the lab
/// has `route_localnet` set, which the iptables mode needs for node ports on loopback and which
/// lets such packets in; the rule that stops them must be there.
@Tag("system")
class LiveLoopbackTest {
  private static final Fixture FIXTURE = new Fixture(IpAddress.Family.IPV4, Protocol.TCP);
  private static final int OWN_PORT = 9099;
  private static final int NODE_PORT = 30080;

  private Lab lab;
  private EchoServer own;

  @BeforeEach
  void build() {
    lab = Lab.create();
    own = new EchoServer(lab.node(), "node", OWN_PORT);
    CommandRunner.Result result =
        CommandRunner.inside(lab.namespace(Origin.EXTERNAL), Duration.ofMinutes(1))
            .run(
                """
                set -e
                sysctl -q -w net.ipv4.conf.all.route_localnet=1
                ip addr del 127.0.0.1/8 dev lo
                ip route add 127.0.0.1/32 via 192.0.2.10 dev eth0
                """,
                List.of("sh"));
    assertThat(result.exit()).as(result.error()).isZero();
  }

  @AfterEach
  void remove() throws Exception {
    own.close();
    lab.close();
  }

  private Attempt call(int port) {
    return Attempt.tcp(
        lab.namespace(Origin.EXTERNAL),
        new InetSocketAddress("192.0.2.1", 0),
        new InetSocketAddress("127.0.0.1", port),
        Duration.ofMillis(1000));
  }

  private Attempt fromNode(int port) {
    return Attempt.tcp(
        lab.node(), null, new InetSocketAddress("127.0.0.1", port), Duration.ofSeconds(60));
  }

  private String mangle() {
    return CommandRunner.inside(lab.node(), Duration.ofMinutes(1))
        .run("", List.of("iptables-save", "-t", "mangle"))
        .output();
  }

  /// A proxy that opens loopback for node ports shuts it for neighbours, and leaves nothing behind.
  @Test
  void theGuardOfTheIptablesModeGoesWithIt() {
    try (DataPlane plane = LivePlanes.open(lab, IpAddress.Family.IPV4)) {
      PlanFollower.apply(plane, FIXTURE.plan(Setup.STANDARD));
      assertThat(mangle()).contains("-A PREROUTING -d 127.0.0.0/8 ! -i lo");
      assertThat(PlanFollower.reconcile(plane, FIXTURE.plan(Setup.STANDARD)).writes()).isZero();
      plane.removeBeside(ProxyMode.IPVS);
      assertThat(mangle()).doesNotContain("127.0.0.0/8");
      PlanFollower.reconcile(plane, FIXTURE.plan(Setup.STANDARD));
      plane.removeAll();
      assertThat(mangle()).doesNotContain("127.0.0.0/8");
    }
  }

  @Test
  void theIptablesModeKeepsNeighboursOut() {
    assertThat(call(OWN_PORT))
        .as("without rules the neighbour gets in: the trial is a real one")
        .isInstanceOf(Attempt.Reached.class);
    try (DataPlane plane = LivePlanes.open(lab, IpAddress.Family.IPV4)) {
      PlanFollower.apply(plane, FIXTURE.plan(Setup.STANDARD));
    }
    assertThat(call(OWN_PORT)).isEqualTo(new Attempt.Unanswered());
    assertThat(call(NODE_PORT)).as("a node port on loopback").isEqualTo(new Attempt.Unanswered());
    assertThat(fromNode(NODE_PORT))
        .as("a process of the node still reaches it")
        .isInstanceOf(Attempt.Reached.class);
    try (DataPlane plane = LivePlanes.open(lab, IpAddress.Family.IPV4)) {
      PlanFollower.apply(plane, FIXTURE.plan(Setup.NO_LOCALHOST));
    }
    assertThat(call(NODE_PORT)).isNotInstanceOf(Attempt.Reached.class);
    assertThat(mangle()).doesNotContain("PREROUTING -d 127.0.0.0/8");
  }

  @Test
  void theNftablesModeServesNoNodePortOnLoopback() {
    try (DataPlane plane = lab.node().call(() -> NftablesPlane.open(IpAddress.Family.IPV4))) {
      PlanFollower.apply(plane, FIXTURE.plan(Setup.STANDARD));
    }
    assertThat(call(NODE_PORT)).isNotInstanceOf(Attempt.Reached.class);
  }

  @Test
  void theUserspaceModeServesNodePortsOnLoopbackToItsOwnNodeOnly() {
    try (DataPlane plane = UserspaceTestPlanes.inNode(lab, IpAddress.Family.IPV4)) {
      PlanFollower.apply(plane, FIXTURE.plan(Setup.STANDARD));
      assertThat(call(NODE_PORT)).isNotInstanceOf(Attempt.Reached.class);
      assertThat(fromNode(NODE_PORT)).isInstanceOf(Attempt.Reached.class);
    }
  }
}
