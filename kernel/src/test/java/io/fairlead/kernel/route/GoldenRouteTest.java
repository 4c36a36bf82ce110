package io.fairlead.kernel.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.golden.Recorded;
import io.fairlead.kernel.netlink.MessageWriter;
import io.fairlead.kernel.netlink.Messages;
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

  static Stream<Row> rows() {
    return Stream.of(
        new Row("ip-veth", out -> out.newLink("v0", new LinkKind.Veth("v1", null), null)),
        new Row("ip-bridge", out -> out.newLink("br0", new LinkKind.Bridge(), null)),
        new Row("ip-vxlan", out -> out.newLink("vx0", new LinkKind.Vxlan(7, 4789, false), null)),
        new Row("ip-up", out -> out.up(3, true)),
        new Row("ip-address4", out -> out.address(3, Prefix.parse("10.1.0.1/24"))),
        new Row("ip-address6", out -> out.address(3, Prefix.parse("fd00::1/64"))),
        new Row(
            "ip-route",
            out ->
                out.route(
                    new Route(Prefix.parse("10.2.0.0/16"), Prefix.parse("10.1.0.2").address(), 3))),
        new Row(
            "ip-rule", out -> out.rule(new RoutingRule(Prefix.parse("10.3.0.0/16"), 100, 500))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void theSameBytes(Row row) {
    byte[] recorded = Recorded.bytes(row.file);
    Messages theirs = Messages.of(recorded);
    assertThat(theirs.next()).isTrue();
    MessageWriter writer = new MessageWriter();
    int start = writer.begin(theirs.type(), theirs.flags(), theirs.sequence());
    row.write.accept(new RouteWriter(writer));
    writer.end(start);
    assertThat(writer.toByteArray()).asHexString().isEqualTo(Recorded.hex(recorded));
  }
}
