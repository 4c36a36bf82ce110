package io.fairlead.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.testing.Behaviour;
import io.fairlead.api.json.Json;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// Containers whose pod asks for other resources while they run.
class ContainerResizeTest {
  private static final String PAIR =
      """
      spec:
        containers:
        - {name: c, image: i, resources: {limits: {cpu: 1, memory: 100}, requests: {cpu: 1}}}
        - {name: d, image: i, resources: {limits: {cpu: 2}}}
      """;

  private static PodLifecycleFixture pair() {
    return new PodLifecycleFixture(PAIR, (_, _) -> Behaviour.obeys(0, Duration.ofSeconds(1)));
  }

  private static void limit(ObjectNode body, String resource, long amount) {
    ((ObjectNode) Json.at(body, "spec", "containers").path(0).path("resources").path("limits"))
        .put(resource, amount);
  }

  private static List<String> resizes(PodLifecycleFixture lab) {
    return lab.runtime.calls().stream().filter(call -> call.contains("resize")).toList();
  }

  private static long shown(PodLifecycleFixture lab, String list, String resource) {
    return Json.at(lab.container("c"), list, resource).asLong(0);
  }

  @Test
  void aRunningContainerGetsWhatIsAskedForAndTheStatusSaysSo() {
    PodLifecycleFixture lab = pair();
    lab.until(5);
    assertThat(shown(lab, "allocatedResources", "cpu")).isEqualTo(1);
    assertThat(Json.at(lab.container("c"), "resources", "limits", "cpu").asInt()).isEqualTo(1);
    assertThat(resizes(lab)).isEmpty();
    lab.change(body -> limit(body, "cpu", 3)).until(6);
    assertThat(resizes(lab)).containsExactly("5 resize c to 3000m of 5000m");
    assertThat(Json.at(lab.container("c"), "resources", "limits", "cpu").asInt()).isEqualTo(3);
    lab.until(200);
    assertThat(resizes(lab)).as("once").hasSize(1);
    assertThat(lab.seconds("start c")).as("it goes on").containsExactly(0L);
  }

  @Test
  void whatCannotBeHadIsNamedAndTheStatusShowsWhatThereIs() {
    PodLifecycleFixture lab = pair();
    lab.until(5);
    lab.change(body -> limit(body, "memory", 1L << 50)).until(200);
    assertThat(Json.at(lab.container("c"), "resources", "limits", "memory").asInt()).isEqualTo(100);
    assertThat(lab.events.stream().filter(event -> event.startsWith("ResizeError")))
        .containsExactly("ResizeError Error resizing pod: no such amount of memory");
    lab.change(body -> limit(body, "memory", 50)).until(201);
    assertThat(Json.at(lab.container("c"), "resources", "limits", "memory").asInt()).isEqualTo(50);
  }

  @Test
  void aContainerThatCannotFollowIsStartedAgain() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            PAIR.replace(
                "{name: c,",
                "{name: c, resizePolicy: [{resourceName: memory, restartPolicy:"
                    + " RestartContainer}],"),
            (_, _) -> Behaviour.obeys(0, Duration.ofSeconds(1)));
    lab.until(5);
    lab.change(body -> limit(body, "cpu", 3)).until(6);
    assertThat(lab.seconds("start c")).as("processors change at once").hasSize(1);
    lab.change(body -> limit(body, "memory", 200)).until(20);
    assertThat(lab.seconds("term c")).containsExactly(6L);
    assertThat(lab.seconds("start c")).containsExactly(0L, 7L);
    assertThat(Json.at(lab.container("c"), "resources", "limits", "memory").asInt()).isEqualTo(200);
    assertThat(lab.seconds("start d")).containsExactly(0L);
  }

  @Test
  void anAgentThatStartsAgainGivesOnceMoreWhatIsAskedFor() {
    PodLifecycleFixture lab = pair();
    lab.until(5);
    lab.restartAgent().until(200);
    assertThat(resizes(lab))
        .containsExactly("5 resize c to 1000m of 3000m", "5 resize d to 2000m of 3000m");
  }
}
