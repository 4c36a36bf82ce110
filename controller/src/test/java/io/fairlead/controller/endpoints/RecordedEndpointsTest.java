package io.fairlead.controller.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ResourceType;
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
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.node.ObjectNode;

/// Histories recorded from the controllers of Kubernetes, played against ours: the Endpoints after
/// every step must be the same, for the histories EP and MI also the slices, or those of
/// [DecidedAnswers] where Fairlead differs on purpose.
class RecordedEndpointsTest {
  private static final DecidedAnswers DECIDED = DecidedAnswers.of("endpoints");

  /// Steps whose trigger time depended on which changes came together.
  private static final Map<String, String> CHANCE =
      Map.of(
          "ES-30/0", "one pod comes, and the original wrote twice",
          "ES-36/1", "three pods flip, and the original wrote twice",
          "ES-45/0", "two pods come, and the original wrote thrice",
          "ES-47/0", "two pods come, and the original wrote thrice",
          "EP-7/0", "two pods come, and the original wrote thrice",
          "EP-7/1", "left over from that",
          "PK-28/0", "two pods come, and the original wrote thrice",
          "PK-28/1", "left over from that",
          "PK-31/0", "two pods come, and the original wrote thrice");

  /// Histories with many slices of one size, which the original fills by chance.
  private static final String ANY_SLICE = "EP-11";

  @TestFactory
  List<DynamicTest> recordings() {
    return Recordings.of(id -> true).stream()
        .map(scenario -> DynamicTest.dynamicTest(scenario.toString(), () -> replay(scenario)))
        .toList();
  }

  @Test
  void everyDecidedAnswerBelongsToARecordedStep() {
    assertThat(DECIDED.withoutRecording(Recordings.of(id -> true))).isEmpty();
  }

  private static void replay(Scenario scenario) {
    try (RecordedCluster cluster = new RecordedCluster()) {
      ScenarioPlayer player =
          new ScenarioPlayer(cluster.client, "default", new FakeDefaults(), cluster::settle);
      player.nodes(scenario.nodes());
      cluster.settle();
      SliceComparison slices = new SliceComparison(player.placeholders(), false);
      for (int i = 0; i < scenario.steps().size(); i++) {
        step(scenario, i, player, slices, cluster);
      }
    }
  }

  private static void step(
      Scenario scenario,
      int number,
      ScenarioPlayer player,
      SliceComparison slices,
      RecordedCluster cluster) {
    Scenario.Step step = scenario.steps().get(number);
    String id = scenario.id() + "/" + number;
    for (ObjectNode operation : step.operations()) {
      if (Json.textOr(operation, "", "object", "kind").equals("Service")) {
        // It begins with all the pods made before it.
        cluster.settleFully();
      }
      if (!manyByHand(operation, player, cluster)) {
        assertThat(player.play(operation)).as("know how to %s", operation).isTrue();
      }
    }
    if (scenario.id().equals(ANY_SLICE)) {
      player.placeholders().forgetNames();
    }
    boolean trigger = !CHANCE.containsKey(id);
    slices.triggerByChance(!trigger);
    Optional<List<ObjectNode>> decided = DECIDED.after(id);
    if (decided.isPresent()) {
      // The decided answer may be that nothing is written: the controllers must have had the time.
      cluster.settle();
    }
    EndpointsComparison endpoints = new EndpointsComparison(player.placeholders());
    await()
        .atMost(RecordedCluster.PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(
            () -> {
              assertThat(EndpointsComparison.shapes(cluster.list(ResourceType.ENDPOINTS), trigger))
                  .as("Endpoints after step %d: %s", number, step.title())
                  .containsExactlyInAnyOrderElementsOf(
                      endpoints.wanted(decided.orElse(step.endpoints()), trigger));
              if (id.matches("(EP|MI)-.*")) {
                assertThat(
                        slices.differences(
                            step.slices(), cluster.list(ResourceType.ENDPOINT_SLICES)))
                    .as("slices after step %d: %s", number, step.title())
                    .isEmpty();
              }
            });
    if (decided.isPresent()) {
      assertThat(endpoints.wanted(decided.get(), trigger))
          .as("%s is like the original, so it is no longer a difference", id)
          .isNotEqualTo(endpoints.wanted(step.endpoints(), trigger));
    }
    cluster.settle();
    // Learns the names that later operations use.
    slices.differences(step.slices(), cluster.list(ResourceType.ENDPOINT_SLICES));
  }

  /// The one operation that is recorded in words: 1001 addresses by hand.
  private static boolean manyByHand(
      ObjectNode operation, ScenarioPlayer player, RecordedCluster cluster) {
    if (!Json.textOr(operation, "", "text").startsWith("Endpoints svc: one subset with the 1001")) {
      return false;
    }
    ObjectNode object = Json.object().put("kind", "Endpoints").put("apiVersion", "v1");
    object.putObject("metadata").put("name", "svc");
    ObjectNode subset = object.putArray("subsets").addObject();
    var first = IpAddress.parse("10.61.0.1");
    for (int i = 0; i < 1001; i++) {
      subset.withArray("addresses").addObject().put("ip", first.plus(i).toString());
    }
    subset.putArray("ports").addObject().put("name", "http").put("port", 80).put("protocol", "TCP");
    player.placeholders().made(cluster.client.create(ResourceType.ENDPOINTS, "default", object));
    return true;
  }
}
