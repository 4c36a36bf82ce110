package io.fairlead.controller.endpointslice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.controller.golden.DecidedAnswers;
import io.fairlead.controller.golden.FakeDefaults;
import io.fairlead.controller.golden.Recordings;
import io.fairlead.controller.testing.Scenario;
import io.fairlead.controller.testing.ScenarioPlayer;
import io.fairlead.controller.testing.SliceComparison;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

/// Histories recorded from the controllers of Kubernetes, played against ours: the slices after
/// every step must be the same, or those of [DecidedAnswers] where Fairlead differs on purpose.
class RecordedSlicesTest {
  private static final DecidedAnswers DECIDED = DecidedAnswers.of("slices");

  /// Steps whose trigger time depended on which changes came together.
  private static final Map<String, String> CHANCE =
      Map.of("ES-36/1", "three pods flip, and the original wrote twice");

  /// Steps in which the original chose by chance which of several slices stays.
  private static final Set<String> ANY_SLICE = Set.of("ES-5/1");

  @TestFactory
  List<DynamicTest> recordings() {
    return histories().stream()
        .map(scenario -> DynamicTest.dynamicTest(scenario.toString(), () -> replay(scenario)))
        .toList();
  }

  @Test
  void everyDecidedAnswerBelongsToARecordedStep() {
    assertThat(DECIDED.withoutRecording(histories())).isEmpty();
  }

  private static List<Scenario> histories() {
    return Recordings.of(id -> id.matches("(ES|PK|GC)-.*"));
  }

  private static void replay(Scenario scenario) {
    try (SliceCluster cluster = new SliceCluster(SliceCluster.AT_ONCE)) {
      ScenarioPlayer player =
          new ScenarioPlayer(cluster.client, "default", new FakeDefaults(), cluster::settle);
      player.nodes(scenario.nodes());
      cluster.settle();
      SliceComparison comparison =
          new SliceComparison(player.placeholders(), scenario.id().matches("ES-4[0-3].*"));
      for (int i = 0; i < scenario.steps().size(); i++) {
        step(scenario, i, player, comparison, cluster);
      }
    }
  }

  private static void step(
      Scenario scenario,
      int number,
      ScenarioPlayer player,
      SliceComparison comparison,
      SliceCluster cluster) {
    Scenario.Step step = scenario.steps().get(number);
    String id = scenario.id() + "/" + number;
    for (ObjectNode operation : step.operations()) {
      assertThat(player.play(operation)).as("know how to %s", operation).isTrue();
    }
    Optional<List<ObjectNode>> decided = DECIDED.after(id);
    if (decided.isPresent()) {
      // The decided answer may be that nothing is written: the controllers must have had the time.
      cluster.settle();
    }
    if (ANY_SLICE.contains(id)) {
      player.placeholders().forgetNames();
    }
    comparison.triggerByChance(CHANCE.containsKey(id));
    await()
        .atMost(SliceCluster.PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .untilAsserted(
            () ->
                assertThat(comparison.differences(decided.orElse(step.slices()), cluster.slices()))
                    .as("slices after step %d: %s", number, step.title())
                    .isEmpty());
    if (decided.isPresent()) {
      assertThat(comparison.differences(step.slices(), cluster.slices()))
          .as("%s is like the original, so it is no longer a difference", id)
          .isNotEmpty();
    }
  }
}
