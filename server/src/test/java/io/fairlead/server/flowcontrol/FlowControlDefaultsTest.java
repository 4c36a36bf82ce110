package io.fairlead.server.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.resources.cluster.FlowControlDefaults;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The default objects and how seats are divided among them, as kube-apiserver 1.36.4 has them.
class FlowControlDefaultsTest {
  @Test
  void theSpecsAreThoseOfTheOriginal() throws IOException {
    try (InputStream in = FlowControlDefaultsTest.class.getResourceAsStream("defaults.json")) {
      assertThat(in).isNotNull();
      JsonNode recorded = Json.parse(in.readAllBytes());
      assertThat(specs(FlowControlDefaults.levels()))
          .isEqualTo(map(recorded.path(FlowControlDefaults.LEVELS)));
      assertThat(specs(FlowControlDefaults.schemas()))
          .isEqualTo(map(recorded.path(FlowControlDefaults.SCHEMAS)));
    }
  }

  private static Map<String, JsonNode> specs(List<ObjectNode> objects) {
    return objects.stream()
        .collect(
            Collectors.toMap(
                FlowControlDefaults::name, one -> one.path("spec"), (a, _) -> a, TreeMap::new));
  }

  private static Map<String, JsonNode> map(JsonNode object) {
    Map<String, JsonNode> map = new TreeMap<>();
    object.properties().forEach(field -> map.put(field.getKey(), field.getValue()));
    return map;
  }

  @Test
  void seatsAreDividedAsInTheOriginal() {
    List<PriorityLevelSpec> levels =
        FlowControlDefaults.levels().stream().map(PriorityLevelSpec::of).toList();
    // nominal_limit_seats, lower_limit_seats and upper_limit_seats of its metrics.
    assertThat(SeatLimits.divide(600, levels))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "catch-all", new SeatLimits(13, 13, 613),
                "exempt", new SeatLimits(0, 0, 600),
                "global-default", new SeatLimits(49, 24, 649),
                "leader-election", new SeatLimits(25, 25, 625),
                "node-high", new SeatLimits(98, 73, 698),
                "system", new SeatLimits(74, 50, 674),
                "workload-high", new SeatLimits(98, 49, 698),
                "workload-low", new SeatLimits(245, 24, 845)));
  }

  @Test
  void aLevelWithoutSharesAndLoansHasNothing() {
    assertThat(
            SeatLimits.divide(
                10,
                List.of(
                    SeatDispatcherTest.level("none", 0, 0, 0),
                    SeatDispatcherTest.level("all", 5, 50, 20))))
        .isEqualTo(Map.of("none", new SeatLimits(0, 0, 0), "all", new SeatLimits(10, 5, 12)));
  }
}
