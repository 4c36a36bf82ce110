package io.fairlead.kernel.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.packet.NeighbourFrame.Ipv6Bits;
import io.fairlead.kernel.route.HardwareAddress;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The bytes of ARP and neighbour discovery, LV73 to LV78 and LX1 of spec/loadbalancer.md.
class PacketFramesTest {
  private static final HardwareAddress OWNER = HardwareAddress.parse("02:00:00:00:00:0a");
  private static final HardwareAddress ASKER = HardwareAddress.parse("02:00:00:00:00:0c");
  private static final int VIP = 0xc0a84df0; // 192.168.77.240
  private static final int ASKING = 0xc0a84d0d; // 192.168.77.13
  private static final Ipv6Bits VIP6 = bits("fd77::240");
  private static final Ipv6Bits ASKING6 = bits("fd77::13");
  private static final Ipv6Bits LINK_LOCAL = bits("fe80::ff:fe00:a");

  private record Row(String name, Consumer<ByteBuffer> frame, String hex) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> frames() {
    return Stream.of(
        new Row(
            "LV73 ARP answer",
            request()::write,
            "02000000000c02000000000a0806000108000604000202000000000ac0a84df002000000000cc0a84d0d"),
        new Row(
            "LV74 announcement as request",
            ArpFrame.announcement(OWNER, VIP, ArpFrame.REQUEST)::write,
            "ffffffffffff02000000000a0806000108000604000102000000000ac0a84df0000000000000c0a84df0"),
        new Row(
            "LV75 announcement as reply",
            ArpFrame.announcement(OWNER, VIP, ArpFrame.REPLY)::write,
            "ffffffffffff02000000000a0806000108000604000202000000000ac0a84df0ffffffffffffc0a84df0"),
        new Row(
            "LV76 probe",
            ArpFrame.probe(OWNER, VIP)::write,
            "ffffffffffff02000000000a0806000108000604000102000000000a00000000000000000000c0a84df0"),
        new Row(
            "LV77 answer for fd77::240",
            solicitation(ASKING6).answeredBy(OWNER, LINK_LOCAL)::write,
            "02000000000c02000000000a86dd6000000000203afffe80000000000000000000fffe00000afd77"
                + "0000000000000000000000000013880018cc60000000fd77000000000000000000000000024002"
                + "0102000000000a"),
        new Row(
            "LV78 announcement of fd77::240",
            NeighbourFrame.announcement(OWNER, LINK_LOCAL, VIP6)::write,
            "33330000000102000000000a86dd6000000000203afffe80000000000000000000fffe00000aff02"
                + "0000000000000000000000000001880057532000000"
                + "0fd770000000000000000000000000240020102000000000a"),
        new Row(
            "LV38 one without an address is answered through all",
            solicitation(Ipv6Bits.UNSPECIFIED).answeredBy(OWNER, LINK_LOCAL)::write,
            hex(NeighbourFrame.announcement(OWNER, LINK_LOCAL, VIP6)::write)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("frames")
  void isWrittenAsOnTheWire(Row row) {
    assertThat(hex(row.frame)).isEqualTo(row.hex);
  }

  @Test
  void whatIsWrittenCanBeRead() {
    ArpFrame probe = ArpFrame.probe(OWNER, VIP);
    assertThat(ArpFrame.read(written(probe::write))).isEqualTo(probe);
    NeighbourFrame asked = NeighbourFrame.probe(OWNER, VIP6);
    assertThat(NeighbourFrame.read(written(asked::write))).isEqualTo(asked);
    assertThat(asked.to()).isEqualTo(bits("ff02::1:ff00:240"));
    NeighbourFrame told = NeighbourFrame.announcement(OWNER, LINK_LOCAL, VIP6);
    assertThat(NeighbourFrame.read(written(told::write))).isEqualTo(told);
    assertThat(ArpFrame.announcement(OWNER, VIP, ArpFrame.REPLY).isGratuitous()).isTrue();
    assertThat(probe.isGratuitous()).isFalse();
  }

  @Test
  void whatRfc4861SaysToDropIsNotRead() {
    ByteBuffer good = written(solicitation(ASKING6)::write);
    assertThat(NeighbourFrame.read(good)).isNotNull();
    record Change(String what, int at, int value) {}
    for (Change change :
        new Change[] {
          new Change("LV38 hop limit 64", 21, 64),
          new Change("code", 55, 1),
          new Change("checksum", 57, 0x55),
          new Change("next header", 20, 17),
          new Change("a type that is neither", 54, 134),
          new Change("protocol", 13, 0),
          new Change("length beyond the frame", 19, 200),
          new Change("length too small", 19, 8)
        }) {
      ByteBuffer bad = ByteBuffer.wrap(good.array().clone());
      bad.limit(good.limit());
      bad.put(change.at, (byte) change.value);
      assertThat(NeighbourFrame.read(bad)).as(change.what).isNull();
    }
  }

  @Test
  void noBytesMakeThemThrow() {
    Random random = new Random(1);
    byte[] arp = written(ArpFrame.probe(OWNER, VIP)::write).array();
    byte[] neighbour = written(solicitation(ASKING6)::write).array();
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = (i % 2 == 0 ? arp : neighbour).clone();
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      ByteBuffer frame = ByteBuffer.wrap(bytes).limit(random.nextInt(bytes.length + 1));
      var _ = ArpFrame.read(frame);
      var _ = NeighbourFrame.read(frame);
    }
  }

  private static ArpFrame request() {
    return new ArpFrame(
            HardwareAddress.BROADCAST,
            ASKER,
            ArpFrame.REQUEST,
            ASKER,
            ASKING,
            new HardwareAddress(0),
            VIP)
        .answeredBy(OWNER);
  }

  private static NeighbourFrame solicitation(Ipv6Bits from) {
    Ipv6Bits group = VIP6.solicitedNode();
    return new NeighbourFrame(
        group.multicastHardware(), ASKER, from, group, NeighbourFrame.SOLICITATION, 0, VIP6, ASKER);
  }

  private static String hex(Consumer<ByteBuffer> frame) {
    ByteBuffer bytes = written(frame);
    return HexFormat.of().formatHex(bytes.array(), 0, bytes.limit());
  }

  private static ByteBuffer written(Consumer<ByteBuffer> frame) {
    ByteBuffer bytes = ByteBuffer.allocate(NeighbourFrame.LENGTH);
    frame.accept(bytes);
    return bytes.flip();
  }

  private static Ipv6Bits bits(String text) {
    ByteBuffer bytes = ByteBuffer.wrap(InetAddress.ofLiteral(text).getAddress());
    return new Ipv6Bits(bytes.getLong(), bytes.getLong());
  }
}
