package io.fairlead.proxy.conntrack;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.conntrack.ConntrackTable.Socket;
import io.fairlead.proxy.conntrack.ConntrackTable.UdpFlow;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.core.Protocol;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.ServicePort;
import io.fairlead.proxy.core.ServicePortName;
import io.fairlead.proxy.core.TrafficPolicy;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which UDP conversations are forgotten (spec/proxy.md 7.8, C1-C5).
class StaleFlowsTest {
  private static final NodeFacts NODE = NodeFacts.of("node-a", IpAddress.parse("192.0.2.10"));

  private static Plan plan(Protocol protocol, Backend... endpoints) {
    return plan(protocol, List.of(), 32000, endpoints);
  }

  private static Plan plan(
      Protocol protocol, List<String> externalIps, int nodePort, Backend... endpoints) {
    return Plan.empty(NODE)
        .with(
            ServicePlan.of(
                new ServicePort(
                    new ServicePortName("t", "dns", "u", protocol),
                    IpAddress.parse("10.112.2.1"),
                    8000,
                    nodePort,
                    externalIps.stream().map(IpAddress::parse).toList(),
                    List.of(),
                    List.of(),
                    TrafficPolicy.CLUSTER,
                    TrafficPolicy.CLUSTER,
                    0,
                    0),
                List.of(endpoints),
                NODE));
  }

  private static Backend endpoint(String address, boolean serving, boolean terminating) {
    return new Backend(
        IpAddress.parse(address),
        9090,
        true,
        serving && !terminating,
        serving,
        terminating,
        Set.of(),
        Set.of());
  }

  private static UdpFlow flow(String to, int port, String from, int fromPort) {
    return new UdpFlow(
        new Socket(IpAddress.parse(to), port), new Socket(IpAddress.parse(from), fromPort), "x");
  }

  @ParameterizedTest(name = "C1 {0}:{1} answered by {2}:{3} is stale: {4}")
  @CsvSource({
    "10.112.2.1,8000,10.64.1.4,9090,false",
    "10.112.2.1,8000,10.64.1.5,9090,true",
    "10.112.2.1,8000,10.64.1.4,8080,true",
    "10.112.2.1,8000,10.112.2.1,8000,true",
    "10.112.2.1,3000,10.64.1.5,9090,false",
    "192.0.2.10,32000,10.64.1.5,9090,true",
    "192.0.2.10,32000,10.64.1.4,9090,false"
  })
  void conversationsWithEndpointsThatDoNotServeAreStale(
      String to, int port, String from, int fromPort, boolean stale) {
    Plan now =
        plan(Protocol.UDP, endpoint("10.64.1.4", true, false), endpoint("10.64.1.5", false, true));
    StaleFlows flows = StaleFlows.of(PlanDiff.between(Plan.empty(NODE), now));
    assertThat(flows.isStale(flow(to, port, from, fromPort))).isEqualTo(stale);
  }

  /// The original keeps node ports' conversations (C2), which lets a client talk on to a pod that
  /// is no endpoint any more.
  @ParameterizedTest(name = "C2 {0}:{1} answered by {2}:{3} is stale: {4}")
  @CsvSource({
    "10.112.2.1,8000,10.64.1.4,9090,true",
    "192.0.2.10,32000,10.64.1.4,9090,true",
    "192.0.2.10,32000,192.0.2.10,32000,false",
    "198.51.100.7,32000,198.51.100.7,32000,false",
    "192.0.2.10,32001,10.64.1.4,9090,false"
  })
  void withoutEndpointsTranslatedConversationsAreStale(
      String to, int port, String from, int fromPort, boolean stale) {
    Plan before = plan(Protocol.UDP, endpoint("10.64.1.4", true, false));
    UdpFlow flow = flow(to, port, from, fromPort);
    assertThat(StaleFlows.of(PlanDiff.between(before, plan(Protocol.UDP))).isStale(flow))
        .isEqualTo(stale);
    assertThat(StaleFlows.of(PlanDiff.between(Plan.empty(NODE), plan(Protocol.UDP))).isStale(flow))
        .as("a proxy that was down meanwhile")
        .isEqualTo(stale);
  }

  @Test
  void anAddressOrNodePortThatTheServiceLosesLosesItsConversations() {
    Backend serving = endpoint("10.64.1.4", true, false);
    StaleFlows flows =
        StaleFlows.of(
            PlanDiff.between(
                plan(Protocol.UDP, List.of("198.18.1.2"), 32000, serving),
                plan(Protocol.UDP, List.of(), 0, serving)));
    assertThat(flows.isStale(flow("198.18.1.2", 8000, "10.64.1.4", 9090))).isTrue();
    assertThat(flows.isStale(flow("192.0.2.10", 32000, "10.64.1.4", 9090))).isTrue();
    assertThat(flows.isStale(flow("192.0.2.10", 32000, "10.9.9.9", 53))).isFalse();
    assertThat(flows.isStale(flow("10.112.2.1", 8000, "10.64.1.4", 9090))).isFalse();
  }

  private static List<String> patterns(Plan before, Plan after) {
    return StaleFlows.of(PlanDiff.between(before, after)).patterns().stream()
        .map(
            one ->
                (one.destination() == null ? "*" : one.destination())
                    + ":"
                    + one.port()
                    + (one.translated() ? " translated" : "")
                    + (one.replySource() == null
                        ? ""
                        : " by " + one.replySource().address() + ":" + one.replySource().port()))
        .sorted()
        .toList();
  }

  @Test
  void whatIsStaleAsAWholeIsForgottenByPatterns() {
    Backend one = endpoint("10.64.1.4", true, false);
    Backend two = endpoint("10.64.1.5", true, false);
    assertThat(patterns(plan(Protocol.UDP, one), plan(Protocol.UDP)))
        .as("the last endpoint goes")
        .contains("10.112.2.1:8000", "*:32000 translated");
    assertThat(patterns(plan(Protocol.UDP, one, two), plan(Protocol.UDP, one)))
        .as("an endpoint goes, another stays")
        .contains("10.112.2.1:8000 by 10.64.1.5:9090", "*:32000 by 10.64.1.5:9090")
        .noneMatch(pattern -> pattern.contains("10.64.1.4"));
    assertThat(patterns(plan(Protocol.UDP, one), Plan.empty(NODE)))
        .as("the Service goes")
        .contains("10.112.2.1:8000", "*:32000 by 10.64.1.4:9090");
    assertThat(
            patterns(
                plan(Protocol.UDP, one), plan(Protocol.UDP, endpoint("10.64.1.4", true, true))))
        .as("an endpoint terminates and serves")
        .isEmpty();
    assertThat(patterns(plan(Protocol.TCP, one), plan(Protocol.TCP))).isEmpty();
  }

  @Test
  void manyPatternsAreNone() {
    Backend[] many =
        IntStream.rangeClosed(1, 40)
            .mapToObj(number -> endpoint("10.64.1." + number, true, false))
            .toArray(Backend[]::new);
    assertThat(patterns(plan(Protocol.UDP, many), plan(Protocol.UDP, many[0]))).isEmpty();
  }

  @Test
  void c3AnEndpointThatTerminatesButServesKeepsItsConversations() {
    StaleFlows flows =
        StaleFlows.of(
            PlanDiff.between(
                plan(Protocol.UDP, endpoint("10.64.1.4", true, false)),
                plan(Protocol.UDP, endpoint("10.64.1.4", true, true))));
    assertThat(flows.isStale(flow("10.112.2.1", 8000, "10.64.1.4", 9090))).isFalse();
  }

  @Test
  void c4TcpIsNeverLookedAt() {
    assertThat(StaleFlows.of(PlanDiff.between(Plan.empty(NODE), plan(Protocol.TCP))).isEmpty())
        .isTrue();
  }

  @Test
  void c5ADeletedServiceLosesItsConversations() {
    StaleFlows flows =
        StaleFlows.of(
            PlanDiff.between(
                plan(Protocol.UDP, endpoint("10.64.1.4", true, false)), Plan.empty(NODE)));
    assertThat(flows.isStale(flow("10.112.2.1", 8000, "10.64.1.4", 9090))).isTrue();
    assertThat(flows.isStale(flow("192.0.2.10", 32000, "10.64.1.4", 9090))).isTrue();
    assertThat(flows.isStale(flow("192.0.2.10", 32000, "10.9.9.9", 53))).isFalse();
  }
}
