package io.fairlead.proxy.nodeapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import java.net.InetAddress;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What two listings of the same connections tell.
class FlowTallyTest {
  private static final InetAddress CLIENT = InetAddress.ofLiteral("10.244.1.20");
  private static final InetAddress VIP = InetAddress.ofLiteral("10.0.1.175");
  private static final InetAddress POD = InetAddress.ofLiteral("10.244.2.3");
  private static final int ESTABLISHED = 3;
  private static final int TIME_WAIT = 7;

  private static ConntrackEntry entry(int id, int tcpState) {
    return new ConntrackEntry(
        new ConntrackTuple(CLIENT, VIP, ConntrackTuple.TCP, 40_000 + id, 80),
        new ConntrackTuple(POD, CLIENT, ConntrackTuple.TCP, 9376, 40_000 + id),
        0x20 | 0x2,
        100,
        0,
        id,
        0,
        tcpState,
        null,
        null,
        0);
  }

  private static FlowTally tally(IntStream ids, int tcpState) {
    FlowTally tally = new FlowTally();
    ids.forEach(id -> tally.add(entry(id, tcpState), 0));
    tally.close();
    return tally;
  }

  private static ObjectNode document(FlowTally now, FlowTally before) {
    ObjectNode document = Json.object();
    now.writeTo(document, before, 0);
    return document;
  }

  /// The kernel sends no event for the end of a connection that was there before anyone listened,
  /// so that only the next listing tells.
  @Test
  void v103ConnectionsThatEndedAreGoneWithTheNextListing() {
    FlowTally before = tally(IntStream.range(0, 60), ESTABLISHED);
    ObjectNode then = document(tally(IntStream.range(50, 65), ESTABLISHED), before);
    assertThat(before.active()).isEqualTo(60);
    assertThat(then.path("active").asInt()).isEqualTo(15);
    assertThat(then.path("begun").asInt()).isEqualTo(5);
    assertThat(then.path("ended").asInt()).isEqualTo(50);
  }

  @Test
  void connectionsThatWaitForTheirEndAreNotActive() {
    ObjectNode document =
        document(tally(IntStream.range(0, 3), TIME_WAIT), tally(IntStream.empty(), 0));
    assertThat(document.path("active").asInt()).isZero();
    assertThat(document.path("states").path("TIME_WAIT").asInt()).isEqualTo(3);
  }

  @Test
  void bytesThatTheKernelDoesNotCountAreUnknown() {
    ObjectNode document =
        document(tally(IntStream.range(0, 3), ESTABLISHED), tally(IntStream.empty(), 0));
    assertThat(document.path("inBytes").isNull()).isTrue();
    assertThat(document.path("oldestSeconds").isNull()).isTrue();
  }
}
