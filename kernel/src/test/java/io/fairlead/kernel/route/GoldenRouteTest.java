package io.fairlead.kernel.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.netlink.NetlinkMessageReader;
import io.fairlead.kernel.netlink.NetlinkMessageWriter;
import io.fairlead.kernel.testing.RecordedBytes;
import java.net.InetAddress;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Our requests against the bytes `ip` sends for the same.
class GoldenRouteTest {
  private record Row(String file, Consumer<RouteWriter> write) {
    @Override
    public String toString() {
      return file;
    }
  }

  private static final HardwareAddress PEER = HardwareAddress.parse("0a:00:00:00:00:02");

  private static InetAddress at(String address) {
    return IpPrefix.parse(address).address();
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("ip-veth", out -> out.newLink("v0", new LinkKind.Veth("v1", null), null)),
        new Row("ip-bridge", out -> out.newLink("br0", new LinkKind.Bridge(), null)),
        new Row("ip-vxlan", out -> out.newLink("vx0", new LinkKind.Vxlan(7, 4789, false), null)),
        new Row(
            "ip-vxlan-local",
            out ->
                out.newLink("fl.1", new LinkKind.Vxlan(1, 8472, false, at("192.168.77.11")), null)),
        new Row(
            "ip-vxlan-local6",
            out -> out.newLink("fl6.1", new LinkKind.Vxlan(1, 8473, false, at("fd77::11")), null)),
        new Row("ip-neighbour4", out -> out.neighbour(new Neighbour(4, at("10.244.2.0"), PEER))),
        new Row("ip-neighbour6", out -> out.neighbour(new Neighbour(4, at("fd00:244:2::"), PEER))),
        new Row(
            "ip-neighbour-delete",
            out -> out.neighbourKey(new Neighbour(4, at("10.244.2.0"), PEER))),
        new Row(
            "bridge-fdb4",
            out -> out.forwarding(new ForwardingEntry(4, PEER, at("192.168.77.12")))),
        new Row("bridge-fdb6", out -> out.forwarding(new ForwardingEntry(5, PEER, at("fd77::12")))),
        new Row(
            "bridge-fdb-delete",
            out -> out.forwarding(new ForwardingEntry(4, PEER, at("192.168.77.12")))),
        new Row(
            "ip-route-onlink",
            out ->
                out.route(
                    new Route(
                        IpPrefix.parse("10.244.2.0/24"),
                        at("10.244.2.0"),
                        4,
                        Route.MAIN,
                        241,
                        true))),
        new Row(
            "ip-route-protocol",
            out ->
                out.route(
                    new Route(
                        IpPrefix.parse("10.244.3.0/24"),
                        at("192.168.77.13"),
                        0,
                        Route.MAIN,
                        241,
                        false))),
        new Row("ip-up", out -> out.up(3, true)),
        new Row("ip-address4", out -> out.address(3, IpPrefix.parse("10.1.0.1/24"))),
        new Row("ip-address6", out -> out.address(3, IpPrefix.parse("fd00::1/64"))),
        new Row(
            "ip-route",
            out ->
                out.route(
                    new Route(
                        IpPrefix.parse("10.2.0.0/16"), IpPrefix.parse("10.1.0.2").address(), 3))),
        new Row("ip-mtu", out -> out.mtu(3, 1400)),
        new Row("ip-master", out -> out.master(3, 4)),
        new Row("ip-no-master", out -> out.master(3, 0)),
        new Row("ip-link-delete", out -> out.interfaceHeader(3)),
        new Row("ip-address-delete", out -> out.address(3, IpPrefix.parse("10.1.0.1/24"))),
        new Row(
            "ip-route-table",
            out -> out.route(new Route(IpPrefix.parse("10.9.0.0/16"), null, 3, 1000))),
        new Row(
            "ip-route6-onlink",
            out ->
                out.route(
                    new Route(
                        IpPrefix.parse("fd00:244:2::/64"),
                        at("fd00:244:2::"),
                        3,
                        Route.MAIN,
                        241,
                        true))),
        new Row(
            "ip-rule6", out -> out.rule(new RoutingRule(IpPrefix.parse("fd00:3::/32"), 1000, 500))),
        new Row(
            "ip-rule", out -> out.rule(new RoutingRule(IpPrefix.parse("10.3.0.0/16"), 100, 500))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void theSameBytes(Row row) {
    byte[] recorded = RecordedBytes.bytes(row.file);
    NetlinkMessageReader theirs = NetlinkMessageReader.of(recorded);
    assertThat(theirs.next()).isTrue();
    NetlinkMessageWriter writer = new NetlinkMessageWriter();
    int start = writer.begin(theirs.type(), theirs.flags(), theirs.sequence());
    row.write.accept(new RouteWriter(writer));
    writer.end(start);
    assertThat(writer.toByteArray()).asHexString().isEqualTo(RecordedBytes.hex(recorded));
  }
}
