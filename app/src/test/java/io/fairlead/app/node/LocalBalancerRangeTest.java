package io.fairlead.app.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which private range a machine uses for load balancer addresses.
class LocalBalancerRangeTest {
  private record Row(String name, String last, List<String> used, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("LV68 nothing in the way", "", List.of("10.96.0.0/12"), "10.112.0.0/24"),
        new Row("LV69 a VPN has the first", "", List.of("10.112.0.0/16"), "172.30.240.0/24"),
        new Row("Services have the first", "", List.of("10.0.0.0/8"), "172.30.240.0/24"),
        new Row(
            "a host in the second too",
            "",
            List.of("10.112.0.9/32", "172.30.240.7/32"),
            "192.168.240.0/24"),
        new Row("LV70 the one of last time", "192.168.240.0/24", List.of(), "192.168.240.0/24"),
        new Row(
            "that of last time is taken",
            "192.168.240.0/24",
            List.of("192.168.0.0/16"),
            "10.112.0.0/24"),
        new Row("a record of something else", "8.8.8.0/24", List.of(), "10.112.0.0/24"),
        new Row("IPv6 is in no way", "", List.of("::/1"), "10.112.0.0/24"),
        new Row("all taken", "", List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"), ""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void isTheFirstThatIsFree(Row row) {
    Optional<Cidr> range =
        LocalBalancerRange.free(
            Optional.of(row.last).filter(text -> !text.isEmpty()).map(Cidr::parse),
            row.used.stream().map(Cidr::parse).toList());
    assertThat(range.map(Cidr::toString).orElse("")).isEqualTo(row.expected);
  }
}
