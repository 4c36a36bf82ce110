package io.fairlead.kernel.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.testing.RecordedBytes;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the kernel answered `ip` and `bridge`, what `ip` would say to the same, and bytes that no
/// kernel sent.
class RouteReaderTest {
  private static final int ROUNDS = 20_000;
  private static final HardwareAddress PEER = HardwareAddress.parse("0a:00:00:00:00:02");

  /// One recorded answer.
  ///
  /// @param told what is to be read from it, in order
  private record Answer(
      String file, Function<NetlinkMessageReader, @Nullable Object> read, String... told) {
    @Override
    public String toString() {
      return file;
    }
  }

  private static InetAddress at(String address) {
    return IpPrefix.parse(address).address();
  }

  private static Route route(
      String destination, String gateway, int link, int protocol, boolean onLink) {
    return new Route(
        IpPrefix.parse(destination),
        gateway.isEmpty() ? null : at(gateway),
        link,
        Route.MAIN,
        protocol,
        onLink);
  }

  static Stream<Answer> answers() {
    return Stream.of(
        new Answer(
            "answer-links",
            RouteReader::link,
            "1 lo up 65536",
            "2 v1 up 1500 veth master 4",
            "3 v0 up 1400 veth",
            "4 br0 up 1500 bridge",
            "5 fl.1 up 1350 vxlan"),
        new Answer(
            "answer-links",
            RouteReader::hardware,
            "00:00:00:00:00:00",
            "0a:00:00:00:00:12",
            "0a:00:00:00:00:11",
            "0a:00:00:00:00:13",
            "0a:00:00:00:00:01"),
        new Answer(
            "answer-addresses4",
            RouteReader::address,
            "1 127.0.0.1/8",
            "3 192.168.77.11/24",
            "5 10.244.1.0/32"),
        new Answer(
            "answer-addresses6",
            RouteReader::address,
            "1 0:0:0:0:0:0:0:1/128",
            "3 fd77:0:0:0:0:0:0:11/64"),
        new Answer(
            "answer-routes4",
            RouteReader::route,
            "10.9.0.0/16 dev 3 table 1000 proto 3",
            "0.0.0.0/0 via 192.168.77.1 dev 3 table 254 proto 3",
            "10.244.2.0/24 via 10.244.2.0 dev 5 table 254 proto 241 onlink",
            "10.244.3.0/24 via 192.168.77.13 dev 3 table 254 proto 241",
            "192.168.77.0/24 dev 3 table 254 proto 2",
            "10.244.1.0/32 dev 5 table 255 proto 2",
            "127.0.0.0/8 dev 1 table 255 proto 2",
            "127.0.0.1/32 dev 1 table 255 proto 2",
            "127.255.255.255/32 dev 1 table 255 proto 2",
            "192.168.77.11/32 dev 3 table 255 proto 2",
            "192.168.77.255/32 dev 3 table 255 proto 2"),
        new Answer(
            "answer-routes6",
            RouteReader::route,
            "0:0:0:0:0:ffff:0:0/96 dev 1 table 254 proto 3",
            "fd00:244:2:0:0:0:0:0/64 via fd00:244:2:0:0:0:0:0 dev 5 table 254 proto 241 onlink",
            "fd77:0:0:0:0:0:0:0/64 dev 3 table 254 proto 2",
            "0:0:0:0:0:0:0:1/128 dev 1 table 255 proto 2",
            "fd77:0:0:0:0:0:0:11/128 dev 3 table 255 proto 2",
            "ff00:0:0:0:0:0:0:0/8 dev 2 table 255 proto 2",
            "ff00:0:0:0:0:0:0:0/8 dev 3 table 255 proto 2",
            "ff00:0:0:0:0:0:0:0/8 dev 5 table 255 proto 2"),
        // What the kernel found out by itself is passed over.
        new Answer(
            "answer-neighbours4", RouteReader::neighbour, "5 10.244.2.0 is 0a:00:00:00:00:02"),
        new Answer(
            "answer-neighbours6",
            RouteReader::neighbour,
            "5 fd00:244:2:0:0:0:0:0 is 0a:00:00:00:00:02"),
        new Answer(
            "answer-forwarding",
            RouteReader::forwarding,
            "5 0a:00:00:00:00:02 is at 192.168.77.12"),
        new Answer(
            "answer-rules4",
            RouteReader::rule,
            "0: 0.0.0.0/0 table 255",
            "500: 10.3.0.0/16 table 1000",
            "32766: 0.0.0.0/0 table 254",
            "32767: 0.0.0.0/0 table 253"));
  }

  private static String spelled(Object read) {
    return switch (read) {
      case Link link ->
          link.index()
              + " "
              + link.name()
              + (link.up() ? " up " : " down ")
              + link.mtu()
              + (link.kind().isEmpty() ? "" : " " + link.kind())
              + (link.master() == 0 ? "" : " master " + link.master());
      case InterfaceIpAddress address -> address.link() + " " + address.prefix();
      case Route route -> spelled(route);
      case Neighbour one ->
          one.link() + " " + one.address().getHostAddress() + " is " + one.hardware();
      case ForwardingEntry entry ->
          entry.link() + " " + entry.hardware() + " is at " + entry.machine().getHostAddress();
      case RoutingRule rule -> rule.priority() + ": " + rule.source() + " table " + rule.table();
      default -> read.toString();
    };
  }

  private static String spelled(Route route) {
    InetAddress gateway = route.gateway();
    return route.destination()
        + (gateway == null ? "" : " via " + gateway.getHostAddress())
        + (" dev " + route.link() + " table " + route.table() + " proto " + route.protocol())
        + (route.onLink() ? " onlink" : "");
  }

  private static List<Object> read(
      byte[] bytes, Function<NetlinkMessageReader, @Nullable Object> reader) {
    List<Object> read = new ArrayList<>();
    NetlinkMessageReader messages = NetlinkMessageReader.of(bytes);
    while (messages.next()) {
      @Nullable Object one = reader.apply(messages);
      if (one != null) {
        read.add(one);
      }
    }
    return read;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("answers")
  void whatTheKernelAnswered(Answer answer) {
    assertThat(read(RecordedBytes.bytes(answer.file), answer.read))
        .extracting(RouteReaderTest::spelled)
        .containsExactly(answer.told);
  }

  private static byte[] written(Consumer<RouteWriter> write) {
    NetlinkMessageWriter writer = new NetlinkMessageWriter();
    int start = writer.begin(1, 0, 1);
    write.accept(new RouteWriter(writer));
    writer.end(start);
    return writer.toByteArray();
  }

  @Test
  void whatIsWrittenIsReadBack() {
    Route route = route("fd00:244:2::/64", "fd00:244:2::", 4, 241, true);
    assertThat(read(written(out -> out.route(route)), RouteReader::route)).containsExactly(route);
    Route large = new Route(IpPrefix.parse("10.2.0.0/16"), null, 3, 1000);
    assertThat(read(written(out -> out.route(large)), RouteReader::route)).containsExactly(large);
    Neighbour neighbour = new Neighbour(4, at("fd00:244:2::"), PEER);
    assertThat(read(written(out -> out.neighbour(neighbour)), RouteReader::neighbour))
        .containsExactly(neighbour);
    ForwardingEntry entry = new ForwardingEntry(4, PEER, at("fd77::12"));
    assertThat(read(written(out -> out.forwarding(entry)), RouteReader::forwarding))
        .containsExactly(entry);
    RoutingRule rule = new RoutingRule(IpPrefix.parse("fd00::/16"), 1000, 500);
    assertThat(read(written(out -> out.rule(rule)), RouteReader::rule)).containsExactly(rule);
    InterfaceIpAddress address = new InterfaceIpAddress(3, IpPrefix.parse("fd00::1/64"));
    assertThat(read(written(out -> out.address(3, address.prefix())), RouteReader::address))
        .containsExactly(address);
  }

  @Test
  void aLengthThatDoesNotBelongToTheAddressIsRefused() {
    byte[] bytes = written(out -> out.route(route("10.2.0.0/16", "10.1.0.2", 3, 3, false)));
    bytes[NetlinkConstants.HEADER_LENGTH + 1] = 33;
    assertThatThrownBy(() -> read(bytes, RouteReader::route))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("a prefix of 33 bits of an address of 32");
  }

  /// Every reader gets every recording with some bytes changed, and some cut off.
  @Test
  void spoiltBytesNeverBreakOut() {
    List<Function<NetlinkMessageReader, @Nullable Object>> readers =
        List.of(
            RouteReader::link,
            RouteReader::hardware,
            RouteReader::address,
            RouteReader::route,
            RouteReader::neighbour,
            RouteReader::forwarding,
            RouteReader::rule);
    List<byte[]> recordings = answers().map(answer -> RecordedBytes.bytes(answer.file)).toList();
    Random random = new Random(7);
    int read = 0;
    int refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
      byte[] whole = recordings.get(i % recordings.size());
      byte[] spoilt =
          random.nextInt(4) == 0
              ? Arrays.copyOf(whole, random.nextInt(whole.length))
              : whole.clone();
      for (int j = random.nextInt(6); j > 0 && spoilt.length > 0; j--) {
        spoilt[random.nextInt(spoilt.length)] = (byte) random.nextInt(256);
      }
      try {
        read += read(spoilt, readers.get(random.nextInt(readers.size()))).size();
      } catch (MalformedMessageException e) {
        assertThat(e.getMessage()).isNotEmpty();
        refused++;
      }
    }
    assertThat(read).isGreaterThan(ROUNDS / 10);
    assertThat(refused).isGreaterThan(ROUNDS / 100);
  }
}
