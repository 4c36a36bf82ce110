package io.fairlead.proxy.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.ConntrackTable.Socket;
import io.fairlead.proxy.conntrack.ConntrackTable.UdpFlow;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.flows.Attempt;
import io.fairlead.proxy.flows.Destination;
import io.fairlead.proxy.flows.Fixture;
import io.fairlead.proxy.flows.Lab;
import io.fairlead.proxy.flows.Origin;
import io.fairlead.proxy.flows.Setup;
import io.fairlead.proxy.nftables.NftablesPlane;
import io.fairlead.proxy.testing.PlanFollower;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Conversations in a real kernel are found and forgotten.
@Tag("system")
class KernelConntrackTableTest {
  @ParameterizedTest
  @EnumSource(IpAddress.Family.class)
  void aUdpConversationIsFoundByWhereItWentAndForgotten(IpAddress.Family family) {
    Fixture fixture = new Fixture(family, Protocol.UDP);
    Destination hair = Destination.of("hair", Destination.Place.CLUSTER_IP);
    try (Lab lab = Lab.create();
        NftablesPlane plane = lab.node().call(() -> NftablesPlane.open(family))) {
      PlanFollower.apply(plane, fixture.plan(Setup.STANDARD));
      Attempt attempt =
          lab.call(
              Origin.POD,
              fixture.source(Origin.POD),
              fixture.address(hair),
              80,
              Protocol.UDP,
              Duration.ofSeconds(20));
      assertThat(attempt).isInstanceOf(Attempt.Reached.class);
      KernelConntrackTable table = new KernelConntrackTable();
      List<UdpFlow> flows = lab.node().call(() -> table.udpFlows(family));
      Socket service = new Socket(fixture.address(hair), 80);
      UdpFlow ours =
          flows.stream()
              .filter(flow -> flow.destination().equals(service))
              .findFirst()
              .orElseThrow();
      assertThat(ours.replySource())
          .isEqualTo(new Socket(fixture.endpoint("L1"), Fixture.TARGET_PORT));
      assertThat(lab.node().call(() -> table.forget(List.of(ours)))).isOne();
      assertThat(lab.node().call(() -> table.udpFlows(family)))
          .noneMatch(flow -> flow.destination().equals(service));
      assertThat(lab.node().call(() -> table.forget(List.of(ours))))
          .as("already forgotten")
          .isZero();
    }
  }

  @Test
  void aHandleOfAnotherTableIsNotOurs() {
    Socket socket = new Socket(IpAddress.parse("10.0.0.1"), 1);
    assertThat(new KernelConntrackTable().forget(List.of(new UdpFlow(socket, socket, "x"))))
        .isZero();
  }
}
