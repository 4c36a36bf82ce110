package io.fairlead.server.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.cluster.FlowControlDefaults;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What becomes of default objects that people changed, as kube-apiserver 1.36.4 does it.
class FlowControlBootstrapTest {
  /// @param said what the annotation says; null for none
  /// @param shares what the user set
  /// @param then the annotation and the shares afterwards
  private record Row(
      String name, String level, @Nullable String said, int generation, int shares, String then) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("nothing changed", "workload-low", "true", 1, 100, "true 100"),
        new Row("a change is taken back", "workload-low", "true", 2, 99, "true 100"),
        new Row("a change that is wanted stays", "workload-low", "false", 2, 99, "false 99"),
        new Row("changed, and nothing said", "workload-low", null, 2, 99, "false 99"),
        new Row("never changed, and nothing said", "workload-low", null, 1, 99, "true 100"),
        new Row("never changed, and nonsense said", "workload-low", "wat", 1, 99, "true 100"),
        new Row("mandatory, whatever is said", "catch-all", "false", 2, 6, "true 5"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aDefaultObjectIsBroughtUpToDate(Row row) {
    ObjectNode wanted = level(row.level());
    ObjectNode present = level(row.level());
    ObjectNode metadata = Json.child(present, "metadata").put("generation", row.generation());
    if (row.said() == null) {
      metadata.remove("annotations");
    } else {
      Json.child(metadata, "annotations").put(FlowControlDefaults.AUTO_UPDATE, row.said());
    }
    Json.child(Json.child(present, "spec"), "limited")
        .put("nominalConcurrencyShares", row.shares());
    ObjectNode before = present.deepCopy();
    assertThat(FlowControlBootstrap.complete(present, wanted)).isEqualTo(!before.equals(present));
    assertThat(
            Json.textOr(present, "", "metadata", "annotations", FlowControlDefaults.AUTO_UPDATE)
                + " "
                + present.at("/spec/limited/nominalConcurrencyShares").asInt(0))
        .isEqualTo(row.then());
    assertThat(FlowControlBootstrap.complete(present, wanted)).isFalse();
  }

  private static ObjectNode level(String name) {
    return FlowControlDefaults.levels().stream()
        .filter(one -> FlowControlDefaults.name(one).equals(name))
        .findFirst()
        .orElseThrow();
  }
}
