package io.fairlead.proxy.announce;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.packet.ArpFrame;
import io.fairlead.kernel.packet.NeighbourFrame;
import io.fairlead.kernel.packet.NeighbourFrame.Ipv6Bits;
import io.fairlead.kernel.route.HardwareAddress;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a node says to frames: vectors LV36 to LV38, LV43, LX2 and LX10 of spec/loadbalancer.md.
class AddressResponderTest {
  private static final HardwareAddress OWN = HardwareAddress.parse("02:00:00:00:00:0a");
  private static final HardwareAddress OTHER = HardwareAddress.parse("02:00:00:00:00:0b");
  private static final HardwareAddress ASKER = HardwareAddress.parse("02:00:00:00:00:0c");
  private static final IpAddress VIP = IpAddress.parse("192.168.77.240");
  private static final IpAddress VIP6 = IpAddress.parse("fd77::240");
  private static final IpAddress LINK_LOCAL = IpAddress.parse("fe80::ff:fe00:a");
  private static final int ASKS_FROM = (int) IpAddress.parse("192.168.77.13").low();
  private static final AnnounceInterface ETH0 =
      new AnnounceInterface(
          2,
          "eth0",
          OWN,
          List.of(Cidr.parse("192.168.77.11/24"), Cidr.parse("fd77::11/64")),
          LINK_LOCAL);

  private final AnsweredAddresses answered = new AnsweredAddresses();
  private final List<String> claims = new ArrayList<>();
  private final List<Object> sent = new ArrayList<>();
  private long now = 5_000_000_000L;
  private final AddressResponder responder =
      new AddressResponder(
          ETH0,
          answered,
          () -> Set.of(OWN),
          (address, by) -> claims.add(address + " " + by),
          new AnnounceCounters(new PrometheusRegistry()),
          () -> now);

  AddressResponderTest() {
    answered.replace(
        Map.of(
            VIP, new AnsweredAddresses.Answer(10_000_000_000L, Set.of(2)),
            VIP6, new AnsweredAddresses.Answer(10_000_000_000L, Set.of(2))));
    responder.answerThrough(
        new NetworkSegment.LinkPort() {
          @Override
          public void send(ArpFrame frame) {
            sent.add(frame);
          }

          @Override
          public void send(NeighbourFrame frame) {
            sent.add(frame);
          }

          @Override
          public void listenFor(Set<IpAddress> addresses) {}

          @Override
          public void close() {}
        });
  }

  private static ArpFrame arp(HardwareAddress to, int operation, int sender, String target) {
    return new ArpFrame(
        to,
        ASKER,
        operation,
        ASKER,
        sender,
        new HardwareAddress(0),
        (int) IpAddress.parse(target).low());
  }

  private record Row(String name, ArpFrame frame, boolean answers) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> arpRows() {
    int request = ArpFrame.REQUEST;
    HardwareAddress all = HardwareAddress.BROADCAST;
    return Stream.of(
        new Row("LV36 a request to all", arp(all, request, ASKS_FROM, VIP.toString()), true),
        new Row("LV36 to the owner's own", arp(OWN, request, ASKS_FROM, VIP.toString()), true),
        new Row("LV36 to another node's", arp(OTHER, request, ASKS_FROM, VIP.toString()), false),
        new Row("a probe is answered", arp(all, request, 0, VIP.toString()), true),
        new Row("LV37 a reply", arp(all, ArpFrame.REPLY, ASKS_FROM, VIP.toString()), false),
        new Row("LV37 RARP", arp(all, 3, ASKS_FROM, VIP.toString()), false),
        new Row("LV37 LX10 another address", arp(all, request, ASKS_FROM, "192.168.77.241"), false),
        new Row(
            "LV37 sender and target are one",
            arp(all, request, (int) VIP.low(), VIP.toString()),
            false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("arpRows")
  void arp(Row row) {
    responder.heard(row.frame);
    assertThat(sent).hasSize(row.answers ? 1 : 0);
    if (row.answers) {
      assertThat(sent).containsExactly(row.frame.answeredBy(OWN));
    }
  }

  private static NeighbourFrame solicitation(HardwareAddress to, Ipv6Bits from, Ipv6Bits group) {
    return new NeighbourFrame(
        to, ASKER, from, group, NeighbourFrame.SOLICITATION, 0, bits(VIP6), null);
  }

  private static Ipv6Bits bits(IpAddress address) {
    return new Ipv6Bits(address.high(), address.low());
  }

  @Test
  void lv38SolicitationsAreAnswered() {
    Ipv6Bits asker = bits(IpAddress.parse("fd77::13"));
    responder.heard(solicitation(new HardwareAddress(0x3333ff000240L), asker, bits(VIP6)));
    responder.heard(solicitation(OWN, asker, bits(VIP6)));
    responder.heard(solicitation(OWN, Ipv6Bits.UNSPECIFIED, bits(VIP6)));
    assertThat(sent).hasSize(3);
    NeighbourFrame first = (NeighbourFrame) sent.get(0);
    assertThat(first.flags()).isEqualTo(NeighbourFrame.SOLICITED | NeighbourFrame.OVERRIDE);
    assertThat(first.from()).isEqualTo(bits(LINK_LOCAL));
    NeighbourFrame toAll = (NeighbourFrame) sent.get(2);
    assertThat(toAll.to()).isEqualTo(Ipv6Bits.ALL_NODES);
    assertThat(toAll.flags()).isEqualTo(NeighbourFrame.OVERRIDE);
  }

  @Test
  void afterTheDeadlineNothingIsAnswered() {
    now = 10_000_000_000L;
    responder.heard(arp(HardwareAddress.BROADCAST, ArpFrame.REQUEST, ASKS_FROM, VIP.toString()));
    responder.heard(solicitation(OWN, bits(IpAddress.parse("fd77::13")), bits(VIP6)));
    assertThat(sent).isEmpty();
  }

  @Test
  void everyFrameThatNamesAnAddressAsItsSendersIsAClaim() {
    responder.heard(ArpFrame.announcement(ASKER, (int) VIP.low(), ArpFrame.REQUEST));
    responder.heard(arp(OWN, ArpFrame.REPLY, (int) VIP.low(), "192.168.77.11"));
    responder.heard(NeighbourFrame.announcement(ASKER, bits(LINK_LOCAL), bits(VIP6)));
    assertThat(claims).containsExactly(VIP + " " + ASKER, VIP + " " + ASKER, VIP6 + " " + ASKER);
  }

  @Test
  void ownFramesAreNoClaims() {
    responder.heard(ArpFrame.announcement(OWN, (int) VIP.low(), ArpFrame.REQUEST));
    responder.heard(NeighbourFrame.announcement(OWN, bits(LINK_LOCAL), bits(VIP6)));
    responder.heard(ArpFrame.probe(OWN, (int) VIP.low()));
    assertThat(claims).isEmpty();
    assertThat(sent).isEmpty();
  }

  @Test
  void lx2AThousandAnswersASecond() {
    ArpFrame asked = arp(HardwareAddress.BROADCAST, ArpFrame.REQUEST, ASKS_FROM, VIP.toString());
    answered.replace(Map.of(VIP, new AnsweredAddresses.Answer(60_000_000_000L, Set.of(2))));
    for (int i = 0; i < 100_000; i++) {
      responder.heard(asked);
      now += 10_000;
    }
    assertThat(sent).as("in one second, after a quiet one").hasSizeBetween(1900, 2100);
    sent.clear();
    for (int i = 0; i < 100_000; i++) {
      responder.heard(asked);
      now += 10_000;
    }
    assertThat(sent).hasSizeBetween(950, 1050);
  }

  private record Serving(String name, String address, List<String> patterns, boolean serves) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Serving> interfaces() {
    return Stream.of(
        new Serving("its network has the address", "192.168.77.240", List.of(), true),
        new Serving("LV44 another network", "192.168.9.240", List.of(), false),
        new Serving("LV43 named", "192.168.9.240", List.of("eth0"), true),
        new Serving("LV43 by a pattern", "192.168.77.240", List.of("et*"), true),
        new Serving("a pattern in the middle", "192.168.77.240", List.of("e*0"), true),
        new Serving("LV43 others named", "192.168.77.240", List.of("eth1", "enp*"), false),
        new Serving("a dot is a dot", "192.168.77.240", List.of("eth."), false),
        new Serving("IPv6", "fd77::240", List.of(), true),
        new Serving("IPv6 elsewhere", "fd78::240", List.of(), false));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("interfaces")
  void interfaceServes(Serving row) {
    assertThat(ETH0.serves(IpAddress.parse(row.address), row.patterns)).isEqualTo(row.serves);
  }

  @Test
  void anInterfaceWithoutALinkLocalAddressAnnouncesNoIpv6() {
    AnnounceInterface bare =
        new AnnounceInterface(2, "eth0", OWN, List.of(Cidr.parse("fd77::11/64")), null);
    assertThat(bare.serves(VIP6, List.of())).isFalse();
  }

  @Test
  void aNetworkOfOneAddressHasNoNeighbours() {
    AnnounceInterface cable =
        new AnnounceInterface(3, "fl1", OWN, List.of(Cidr.parse("192.168.77.240/32")), null);
    assertThat(cable.serves(VIP, List.of())).isFalse();
  }
}
