package io.fairlead.kernel.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Events as a kernel sends them, byte for byte, sorted by packet.
class TracedPacketTest {
  private static final String IPV4 = "4500003c%04x40004006000a0af401140a0001af";
  private static final String TCP = "a3910050%08x00000000a002faf0b2c40000";

  private static NftEvent.Traced event(
      int trace, int identification, int sequence, String chain, boolean conntrack) {
    NetlinkMessageWriter out = new NetlinkMessageWriter();
    int start =
        out.beginNetfilter(
            NetlinkConstants.SUBSYSTEM_NFTABLES,
            NftConstants.TRACE,
            0,
            0,
            NftFamily.IP.number(),
            0);
    out.be32(6, trace);
    out.be32(4, 3);
    out.string(1, "fairlead-proxy");
    out.string(2, chain);
    out.be64(3, 7);
    int verdict = out.nest(5);
    out.be32(1, -4);
    out.string(2, "pick-3");
    out.close(verdict);
    if (identification >= 0) {
      out.bytes(8, NftData.ofHex(IPV4.formatted(identification)).toByteArray());
      out.bytes(9, NftData.ofHex(TCP.formatted(sequence)).toByteArray());
      out.be32(10, 5);
    }
    if (conntrack) {
      out.be32(18, 0x12345678);
      out.u8(19, 0);
      out.be32(20, 0x20);
    }
    out.end(start);
    NetlinkMessageReader message = NetlinkMessageReader.of(out.toByteArray());
    assertThat(message.next()).isTrue();
    return (NftEvent.Traced) Objects.requireNonNull(NftEventReader.read(message));
  }

  @Test
  void v97OneTraceNumberForTwoPacketsIsTwoPackets() {
    List<TracedPacket> packets =
        TracedPacket.group(
            List.of(
                event(9, 0x1111, 1000, "prerouting", false),
                event(9, -1, 0, "services", false),
                // A repetition of the same SYN: same sequence, another identification.
                event(9, 0x1112, 1000, "prerouting", false),
                event(9, -1, 0, "services", false),
                event(9, -1, 0, "pick-3", false)));
    assertThat(packets).extracting(packet -> packet.events().size()).containsExactly(2, 3);
    assertThat(packets.getFirst().headers().sourcePort()).isEqualTo(0xa391);
    assertThat(packets.getFirst().headers().destination().getHostAddress()).isEqualTo("10.0.1.175");
  }

  @Test
  void packetsThatAreOnTheirWayAtOnceAreToldApartByTheTraceNumber() {
    List<TracedPacket> packets =
        TracedPacket.group(
            List.of(
                event(1, 5, 1, "prerouting", false),
                event(2, 6, 2, "prerouting", false),
                event(1, -1, 0, "services", false),
                event(2, -1, 0, "services", false)));
    assertThat(packets).extracting(packet -> packet.events().size()).containsExactly(2, 2);
  }

  @Test
  void eventsOfAPacketWhoseBeginningWasNotSeenAreLeftOut() {
    assertThat(TracedPacket.group(List.of(event(1, -1, 0, "services", false)))).isEmpty();
  }

  @Test
  void v98AnOlderKernelReportsNoConnection() {
    NftEvent.Traced old = event(1, 5, 1, "prerouting", false);
    assertThat(old.connection()).isNull();
    assertThat(old.inputInterface()).isEqualTo(5);
    assertThat(old.verdict()).isEqualTo(NftVerdict.go("pick-3"));
    NftEvent.TracedConnection connection = event(1, 5, 1, "prerouting", true).connection();
    assertThat(connection).isEqualTo(new NftEvent.TracedConnection(0x12345678, false, 0x20));
  }

  @Test
  void rulesAreShownAsTheToolWould() {
    NftRule rule =
        NftRule.of(
            "",
            new Expression.Meta(Expression.Meta.TRANSPORT_PROTOCOL, 0),
            new Expression.Compare(0, Expression.Compare.Operation.EQUAL, NftData.ofHex("06")),
            new Expression.Payload(Expression.Payload.TRANSPORT, 2, 2, 0),
            new Expression.Compare(0, Expression.Compare.Operation.EQUAL, NftData.ofHex("0050")),
            new Expression.Payload(Expression.Payload.NETWORK, 12, 4, 0),
            new Expression.Compare(
                0, Expression.Compare.Operation.NOT_EQUAL, NftData.ofHex("0a000001")),
            new Expression.Counter(3, 180),
            new Expression.Decide(NftVerdict.DROP));
    assertThat(RuleText.of(rule))
        .isEqualTo("meta l4proto tcp tcp dport 80 ip saddr != 10.0.0.1 counter drop");
    assertThat(RuleText.rejects(rule)).isFalse();
    assertThat(RuleText.rejects(NftRule.of("", new Expression.Reject(3)))).isTrue();
  }

  @Test
  void theChanceOfAStatisticMatchIsRead() {
    // NFTA_MATCH_NAME "statistic", then NFTA_MATCH_INFO with 0x40000000 of 2^31.
    NetlinkMessageWriter out = new NetlinkMessageWriter();
    out.string(1, "statistic");
    int info = out.open(3);
    out.putShort(0).putShort(0).putInt(0x40000000).putInt(0).putInt(0);
    out.close(info);
    NftRule rule = NftRule.of("", new Expression.Other("match", NftData.wrap(out.toByteArray())));
    assertThat(RuleText.probability(rule)).hasValue(0.5);
    assertThat(RuleText.of(rule)).isEqualTo("-m statistic");
    assertThat(RuleText.probability(NftRule.of("", new Expression.Counter(0, 0)))).isEmpty();
  }
}
