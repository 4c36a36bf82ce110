package io.fairlead.agent.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Which of a pod's addresses comes first.
class SandboxInfoTest {
  private static final String FOUR = "10.244.1.7";
  private static final String SIX = "fd00:244:1::7";

  private record Row(String name, List<String> node, List<String> told, List<String> ordered) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    List<String> fourFirst = List.of("192.0.2.1", "2001:db8::1");
    List<String> sixFirst = List.of("2001:db8::1", "192.0.2.1");
    return Stream.of(
        new Row("N73 the node begins with IPv4", fourFirst, List.of(SIX, FOUR), List.of(FOUR, SIX)),
        new Row("N73 the node begins with IPv6", sixFirst, List.of(FOUR, SIX), List.of(SIX, FOUR)),
        new Row("already so", sixFirst, List.of(SIX, FOUR), List.of(SIX, FOUR)),
        new Row("one family", sixFirst, List.of(FOUR), List.of(FOUR)),
        new Row("a node without addresses", List.of(), List.of(FOUR, SIX), List.of(FOUR, SIX)),
        new Row("in the node's network", sixFirst, List.of(), List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void addressesFollowTheNodes(Row row) {
    SandboxInfo sandbox =
        new SandboxInfo(
            "id",
            "uid",
            new ObjectKey("default", "web"),
            0,
            true,
            false,
            row.told,
            Instant.EPOCH,
            30);
    assertThat(sandbox.inOrderOf(row.node).addresses()).isEqualTo(row.ordered);
  }
}
