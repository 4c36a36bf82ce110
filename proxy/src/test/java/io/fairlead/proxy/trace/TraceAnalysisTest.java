package io.fairlead.proxy.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.conntrack.ConntrackEntry;
import io.fairlead.kernel.conntrack.ConntrackTuple;
import io.fairlead.kernel.ipvs.IpvsConnection;
import io.fairlead.kernel.nftables.Expression;
import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.NftFamily;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.Table;
import io.fairlead.kernel.nftables.TracedPacket;
import io.fairlead.kernel.route.RouteLookup;
import io.fairlead.kernel.socket.ConnectResult;
import io.fairlead.kernel.socket.ConnectResult.Outcome;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.trace.TraceEvidence.ChainName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What was seen of a connection, and the hops and the result that follow from it.
class TraceAnalysisTest {
  static final InetAddress CLIENT = InetAddress.ofLiteral("10.244.1.20");
  private static final InetAddress VIP = InetAddress.ofLiteral("10.0.1.175");
  private static final InetAddress POD = InetAddress.ofLiteral("10.244.2.3");
  private static final InetAddress NODE = InetAddress.ofLiteral("192.0.2.10");
  private static final String WAY_BACK = "eth1";
  private static final String TRACE = TraceTable.NAME;
  private static final String OURS = "fairlead-proxy";

  private static TracedPacketBuilder entering() {
    return new TracedPacketBuilder()
        .first(TRACE, TraceTable.ENTER, new NftVerdict(-1, ""), VIP, 80);
  }

  private static TracedPacketBuilder nftablesPick() {
    return entering()
        .first(OURS, "prerouting", NftVerdict.jump("services"), VIP, 80)
        .rule(OURS, "services", NftVerdict.go("pick-3"))
        .rule(OURS, "pick-3", NftVerdict.ACCEPT);
  }

  private static TracedPacketBuilder delivered(TracedPacketBuilder packet) {
    return packet.marker(TraceTable.FORWARD, POD, 9376).marker(TraceTable.LEAVE, POD, 9376);
  }

  private static NftRule chance(double probability, String chain) {
    ByteBuffer attributes = ByteBuffer.allocate(44).order(ByteOrder.nativeOrder());
    // NFTA_MATCH_NAME "statistic" and NFTA_MATCH_INFO, each with its length and type.
    attributes
        .putShort((short) 14)
        .putShort((short) 1)
        .put("statistic\0".getBytes(StandardCharsets.US_ASCII));
    attributes.position(16);
    attributes.putShort((short) 28).putShort((short) 3);
    attributes.putShort((short) 0).putShort((short) 0);
    attributes.putInt((int) Math.round(probability * (1L << 31)));
    return NftRule.of(
        "",
        new Expression.Other("match", NftData.wrap(attributes.array())),
        new Expression.Decide(NftVerdict.jump(chain)));
  }

  private static NftRule jump(String chain) {
    return NftRule.of("", new Expression.Decide(NftVerdict.jump(chain)));
  }

  private static TracedPacketBuilder iptables() {
    return entering()
        .first("nat", "PREROUTING", NftVerdict.jump("KUBE-SERVICES"), VIP, 80)
        .rule("nat", "KUBE-SERVICES", NftVerdict.jump("KUBE-SVC-ODX2"))
        .rule("nat", "KUBE-SVC-ODX2", NftVerdict.jump("KUBE-MARK-MASQ"))
        .rule("nat", "KUBE-SVC-ODX2", NftVerdict.jump("KUBE-SEP-TWO"))
        .listed(
            jump("KUBE-MARK-MASQ"), chance(1 / 3.0, "KUBE-SEP-ONE"), chance(0.5, "KUBE-SEP-TWO"));
  }

  private static TracedPacketBuilder withThird(TracedPacketBuilder packet) {
    // The rule that matched stays the second; a third follows it in the listing.
    ChainName chain = new ChainName(new Table(NftFamily.IP, "nat"), "KUBE-SVC-ODX2");
    List<ListedRule> all = new ArrayList<>(packet.rules.getOrDefault(chain, List.of()));
    all.add(new ListedRule("nat", "KUBE-SVC-ODX2", 2000, jump("KUBE-SEP-THREE")));
    packet.rules.put(chain, all);
    return packet;
  }

  private static Optional<ConntrackEntry> entry() {
    return entry(POD);
  }

  private static Optional<ConntrackEntry> entry(InetAddress endpoint) {
    return Optional.of(
        new ConntrackEntry(
            new ConntrackTuple(CLIENT, VIP, 6, 41873, 80),
            new ConntrackTuple(endpoint, CLIENT, 6, 9376, 41873),
            0x20 | 0x2,
            100,
            0,
            1,
            0,
            3,
            null,
            null,
            0));
  }

  private static final RouteLookup ROUTE =
      new RouteLookup(InetAddress.ofLiteral("10.244.1.1"), 2, CLIENT, false);

  private static TraceEvidence evidence(
      TracedPacketBuilder packet,
      Outcome outcome,
      Optional<ConntrackEntry> entry,
      Map<String, String> sysctls) {
    return new TraceEvidence(
        new InetSocketAddress(CLIENT, 41873),
        VIP,
        80,
        Optional.of(ROUTE),
        "eth0",
        new ConnectResult(outcome, 410_000, ""),
        TracedPacket.group(packet.events),
        entry,
        packet.rules,
        Map.of(3, "veth3f2a"),
        false,
        sysctls,
        WAY_BACK,
        Optional.empty(),
        TraceEvidence.LegacyLog.NONE);
  }

  /// The same with what else kernels say.
  private static TraceEvidence with(
      TraceEvidence seen, Optional<IpvsConnection> ipvs, TraceEvidence.LegacyLog legacy) {
    return new TraceEvidence(
        seen.source(),
        seen.destination(),
        seen.port(),
        seen.route(),
        seen.routeLink(),
        seen.result(),
        seen.packets(),
        seen.entry(),
        seen.rules(),
        seen.links(),
        seen.lost(),
        seen.sysctls(),
        seen.wayBack(),
        ipvs,
        legacy);
  }

  private static TraceContext context(ProxyMode mode, TrafficVerdict verdict) {
    return new TraceContext(
        "a",
        mode,
        "default/hostnames:default",
        Optional.of(
            new Frontend(
                Frontend.Kind.CLUSTER_IP,
                IpAddress.parse("10.0.1.175"),
                80,
                verdict,
                List.of(),
                List.of())),
        0);
  }

  private static TrafficVerdict forward() {
    return new TrafficVerdict.Forward(
        Stream.of("10.244.1.7", "10.244.2.3", "10.244.3.6")
            .map(address -> Backend.ready(IpAddress.parse(address), 9376, false))
            .toList(),
        TrafficVerdict.Masquerade.NEVER);
  }

  private static final TrafficVerdict REJECT =
      new TrafficVerdict.Reject(TrafficVerdict.Reason.NO_ENDPOINTS);
  private static final TrafficVerdict DROP =
      new TrafficVerdict.Drop(TrafficVerdict.Reason.NO_LOCAL_ENDPOINTS);

  private record Case(
      String name,
      TraceEvidence seen,
      TraceContext context,
      String result,
      String code,
      List<String> hops) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final String ROUTED = "route via 10.244.1.1 by eth0";
  private static final String ENTERED = "packet enters from veth3f2a";

  static Stream<Case> cases() {
    NftRule reject = NftRule.of("", new Expression.Counter(0, 0), new Expression.Reject(3));
    NftRule drop = NftRule.of("", new Expression.Decide(NftVerdict.DROP));
    return Stream.of(
        new Case(
            "v78 nftables: one rule serves all, conntrack names the endpoint",
            evidence(delivered(nftablesPick()), Outcome.CONNECTED, entry(), Map.of()),
            context(ProxyMode.NFTABLES, forward()),
            "reached",
            "",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "10.244.2.3:9376 answered in 0.41 ms")),
        new Case(
            "v78 nftables without conntrack: the last header names the endpoint",
            evidence(delivered(nftablesPick()), Outcome.CONNECTED, Optional.empty(), Map.of()),
            context(ProxyMode.NFTABLES, forward()),
            "reached",
            "",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376",
                "10.244.2.3:9376 answered in 0.41 ms")),
        new Case(
            "v80 iptables: the second rule of three was taken",
            evidence(delivered(withThird(iptables())), Outcome.CONNECTED, entry(), Map.of()),
            context(ProxyMode.IPTABLES, forward()),
            "reached",
            "",
            List.of(
                ROUTED,
                ENTERED,
                "KUBE-SERVICES → KUBE-SVC-ODX2",
                "rule 2 of 3: half of what rule 1 left = 33.3 % → KUBE-SEP-TWO",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "10.244.2.3:9376 answered in 0.41 ms")),
        new Case(
            "v81 no endpoints: rejected at the front's rule",
            evidence(
                entering()
                    .first(OURS, "prerouting", NftVerdict.jump("services"), VIP, 80)
                    .rule(OURS, "services", NftVerdict.go("reject"))
                    .rule(OURS, "reject", NftVerdict.DROP)
                    .listed(reject),
                Outcome.REFUSED,
                Optional.empty(),
                Map.of()),
            context(ProxyMode.NFTABLES, REJECT),
            "refused",
            "",
            List.of(
                ROUTED,
                ENTERED,
                "services → reject",
                "rejected by fairlead-proxy reject rule 1: counter reject")),
        new Case(
            "v82 a firewall's policy",
            evidence(
                nftablesPick().marker(TraceTable.FORWARD, POD, 9376).policy("fw", "forward"),
                Outcome.TIMEOUT,
                entry(),
                Map.of()),
            context(ProxyMode.NFTABLES, forward()),
            "dropped",
            "FL146",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "dropped by the policy of fw forward")),
        new Case(
            "v83 forwarding is off",
            evidence(nftablesPick(), Outcome.TIMEOUT, entry(), Map.of("net.ipv4.ip_forward", "0")),
            context(ProxyMode.NFTABLES, forward()),
            "lost",
            "FL147",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "lost between prerouting and forward: net.ipv4.ip_forward is 0")),
        new Case(
            "v145 the interface takes no sender that is reached by another one",
            evidence(
                nftablesPick(),
                Outcome.TIMEOUT,
                entry(),
                Map.of("net.ipv4.ip_forward", "1", "net.ipv4.conf.veth3f2a.rp_filter", "1")),
            context(ProxyMode.NFTABLES, forward()),
            "lost",
            "FL192",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "lost between prerouting and forward: reverse path filter on veth3f2a, and the way"
                    + " back is by eth1")),
        new Case(
            "v145 the larger of two settings counts: 2 is not strict",
            evidence(
                nftablesPick(),
                Outcome.TIMEOUT,
                entry(),
                Map.of(
                    "net.ipv4.conf.all.rp_filter", "2", "net.ipv4.conf.veth3f2a.rp_filter", "1")),
            context(ProxyMode.NFTABLES, forward()),
            "lost",
            "FL188",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "lost between prerouting and forward: unknown")),
        new Case(
            "v134 a pod that is led to itself gets no answer",
            evidence(
                nftablesPick()
                    .marker(TraceTable.FORWARD, CLIENT, 9376)
                    .marker(TraceTable.LEAVE, CLIENT, 9376),
                Outcome.TIMEOUT,
                entry(CLIENT),
                Map.of()),
            context(ProxyMode.NFTABLES, forward()),
            "noAnswer",
            "FL148",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.1.20:9376, no masquerade",
                "10.244.1.20:9376: no answer in 0.41 ms")),
        new Case(
            "v84 policy Local and no pod here: dropped by our own rule",
            evidence(
                entering()
                    .first(OURS, "prerouting", NftVerdict.jump("services"), VIP, 80)
                    .rule(OURS, "services", NftVerdict.go("drop"))
                    .rule(OURS, "drop", NftVerdict.DROP)
                    .listed(drop),
                Outcome.TIMEOUT,
                Optional.empty(),
                Map.of()),
            context(ProxyMode.NFTABLES, DROP),
            "dropped",
            "FL144",
            List.of(
                ROUTED, ENTERED, "services → drop", "dropped by fairlead-proxy drop rule 1: drop")),
        new Case(
            "a policy of ours",
            evidence(
                nftablesPick()
                    .marker(TraceTable.FORWARD, POD, 9376)
                    .rule("fairlead-policy", "deny", NftVerdict.DROP)
                    .listed(drop),
                Outcome.TIMEOUT,
                entry(),
                Map.of()),
            context(ProxyMode.NFTABLES, forward()),
            "dropped",
            "FL160",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "dropped by fairlead-policy deny rule 1: drop")),
        new Case(
            "the endpoint refuses: nothing listens there",
            evidence(delivered(nftablesPick()), Outcome.REFUSED, entry(), Map.of()),
            context(ProxyMode.NFTABLES, forward()),
            "refused",
            "FL123",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "10.244.2.3:9376 refused")),
        new Case(
            "v147 events were lost: the result says so",
            lossy(evidence(delivered(nftablesPick()), Outcome.CONNECTED, entry(), Map.of())),
            context(ProxyMode.NFTABLES, forward()),
            "reached",
            "FL196",
            List.of(
                ROUTED,
                ENTERED,
                "services → pick-3   default/hostnames:default",
                "pick-3: one of 3 slots at random = 33.3 %",
                "DNAT to 10.244.2.3:9376, no masquerade",
                "10.244.2.3:9376 answered in 0.41 ms")),
        new Case(
            "v76 the client has no route",
            new TraceEvidence(
                null,
                VIP,
                80,
                Optional.empty(),
                "",
                null,
                List.of(),
                Optional.empty(),
                Map.of(),
                Map.of(),
                false,
                Map.of(),
                "",
                Optional.empty(),
                TraceEvidence.LegacyLog.NONE),
            context(ProxyMode.NFTABLES, forward()),
            "lost",
            "FL191",
            List.of("no route to 10.0.1.175")),
        new Case(
            "v87 ipvs: the real server is named, also where no table of nftables can be made",
            with(
                evidence(new TracedPacketBuilder(), Outcome.CONNECTED, Optional.empty(), Map.of()),
                Optional.of(
                    new IpvsConnection(
                        "TCP",
                        new InetSocketAddress(CLIENT, 41873),
                        new InetSocketAddress(VIP, 80),
                        new InetSocketAddress(POD, 9376),
                        "ESTABLISHED")),
                TraceEvidence.LegacyLog.NONE),
            context(ProxyMode.IPVS, forward()),
            "reached",
            "",
            List.of(
                ROUTED,
                "real server 10.244.2.3:9376, state ESTABLISHED",
                "10.244.2.3:9376 answered in 0.41 ms")),
        new Case(
            "v86 userspace: the relay's record names what refused and what took it",
            evidence(
                entering().marker(TraceTable.ARRIVE, NODE, 9376),
                Outcome.CONNECTED,
                entry(NODE),
                Map.of()),
            context(ProxyMode.USERSPACE, forward()).with(Optional.of(RelayHopTest.SECOND_ACCEPTED)),
            "reached",
            "",
            List.of(
                ROUTED,
                ENTERED,
                "redirected to the relay of this node at 192.0.2.10:9376",
                "10.244.1.7:9376 refused, tried 10.244.2.3:9376, which accepted",
                "the relay answered in 0.41 ms")),
        new Case(
            "v88 iptables-legacy: what the kernel logged names the rule and its share",
            with(
                evidence(delivered(entering()), Outcome.CONNECTED, Optional.empty(), Map.of()),
                Optional.empty(),
                LegacyLogLines.logged(
                    CLIENT,
                    VIP,
                    "nat:PREROUTING:rule:1",
                    "nat:KUBE-SERVICES:rule:1",
                    "nat:KUBE-SVC-ODX2UBAZM7RQWOIU:rule:3",
                    "nat:KUBE-SEP-2:rule:2",
                    "filter:FORWARD:policy:3")),
            context(ProxyMode.IPTABLES, forward()),
            "reached",
            "",
            List.of(
                ROUTED,
                ENTERED,
                "KUBE-SERVICES → KUBE-SVC-ODX2UBAZM7RQWOIU",
                "rule 2 of 3 = 33.3 % → KUBE-SEP-2",
                "DNAT to 10.244.2.3:9376",
                "10.244.2.3:9376 answered in 0.41 ms")),
        new Case(
            "v88 iptables-legacy: a rule that rejects, met by the packet and its repetition",
            with(
                evidence(entering(), Outcome.REFUSED, Optional.empty(), Map.of()),
                Optional.empty(),
                LegacyLogLines.logged(
                    CLIENT, VIP, "filter:KUBE-SERVICES:rule:1", "filter:KUBE-SERVICES:rule:1")),
            context(
                ProxyMode.IPTABLES, new TrafficVerdict.Reject(TrafficVerdict.Reason.NO_ENDPOINTS)),
            "refused",
            "",
            List.of(ROUTED, ENTERED, "rejected by filter KUBE-SERVICES rule 1")));
  }

  private static TraceEvidence lossy(TraceEvidence seen) {
    return new TraceEvidence(
        seen.source(),
        seen.destination(),
        seen.port(),
        seen.route(),
        seen.routeLink(),
        seen.result(),
        seen.packets(),
        seen.entry(),
        seen.rules(),
        seen.links(),
        true,
        seen.sysctls(),
        seen.wayBack(),
        seen.ipvs(),
        seen.legacy());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void hopsAndResultFollow(Case each) {
    TraceReport report = TraceAnalysis.of(each.seen(), each.context());
    assertThat(report.hops()).extracting(TraceHop::text).isEqualTo(each.hops());
    assertThat(report.result().word()).isEqualTo(each.result());
    assertThat(report.code()).isEqualTo(each.code());
  }

  @Test
  void theDocumentHasStableFields() {
    TraceReport report =
        TraceAnalysis.of(
            evidence(delivered(withThird(iptables())), Outcome.CONNECTED, entry(), Map.of()),
            context(ProxyMode.IPTABLES, forward()));
    ObjectNode document = Json.object();
    report.writeTo(document, "a");
    assertThat(document.path("endpoint").toString())
        .startsWith("{\"address\":\"10.244.2.3\",\"port\":9376,\"share\":0.33");
    assertThat(document.path("others")).hasSize(2);
    assertThat(document.path("hops").get(3).propertyNames())
        .containsExactly(
            "n", "node", "place", "table", "chain", "rule", "verdict", "share", "source", "via",
            "millis", "text");
    assertThat(document.path("hops").get(3).path("rule").path("number").asInt()).isEqualTo(2);
    assertThat(document.path("hops").get(3).path("rule").path("of").asInt()).isEqualTo(3);
    assertThat(document.path("hops").get(3).path("share").asDouble()).isBetween(0.333, 0.334);
    assertThat(document.path("hops").get(0).path("share").isNull()).isTrue();
  }

  @Test
  void theRuleMatchesOneConnectionAndFirstPacketsOnly() {
    NftRule rule =
        TraceTable.rule(
            new TraceTable.Match(CLIENT, VIP, io.fairlead.proxy.core.Protocol.TCP, 41873, 80));
    assertThat(io.fairlead.kernel.nftables.RuleText.of(rule))
        .isEqualTo(
            "ip saddr 10.244.1.20 ip daddr 10.0.1.175 meta l4proto tcp tcp sport 41873 tcp dport 80"
                + " tcp flags & 0x17 0x02 limit rate 20/second meta nftrace set 0x01");
  }
}
