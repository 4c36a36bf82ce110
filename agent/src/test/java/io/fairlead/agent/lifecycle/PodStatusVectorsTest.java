package io.fairlead.agent.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.testing.Behaviour;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Deadlines, generations and ephemeral containers of a pod on a virtual clock.
class PodStatusVectorsTest {
  private static PodLifecycleFixture pod(String spec) {
    return new PodLifecycleFixture(spec, (_, _) -> Behaviour.obeys(0, Duration.ofSeconds(2)));
  }

  @Test
  void aPodIsActiveNoLongerThanItMayBe() {
    PodLifecycleFixture lab =
        pod("spec:\n  activeDeadlineSeconds: 5\n  containers: [{name: c, image: i}]\n");
    lab.until(4);
    assertThat(lab.phase()).isEqualTo("Running");
    lab.until(6);
    assertThat(lab.seconds("term c")).containsExactly(5L);
    assertThat(lab.phase()).as("a container may still run").isEqualTo("Running");
    lab.until(20);
    assertThat(lab.phase()).isEqualTo("Failed");
    assertThat(Json.textOr(lab.status(), "", "reason")).isEqualTo("DeadlineExceeded");
    assertThat(Json.textOr(lab.status(), "", "message"))
        .isEqualTo("Pod was active on the node longer than the specified deadline");
    assertThat(lab.events)
        .contains("DeadlineExceeded Pod was active on the node longer than the specified deadline");
    assertThat(lab.seconds("start c")).containsExactly(0L);
  }

  @Test
  void aDeadlineCountsFromTheStartAlsoForAnAgentThatStartsAgain() {
    PodLifecycleFixture lab =
        pod("spec:\n  activeDeadlineSeconds: 50\n  containers: [{name: c, image: i}]\n");
    lab.until(30);
    lab.restartAgent().until(49);
    assertThat(lab.phase()).isEqualTo("Running");
    lab.until(60);
    assertThat(lab.phase()).isEqualTo("Failed");
    assertThat(lab.seconds("term c")).containsExactly(50L);
  }

  @Test
  void aDeadlineThatComesLaterIsKept() {
    PodLifecycleFixture lab = pod("spec:\n  containers: [{name: c, image: i}]\n");
    lab.until(10);
    lab.change(body -> Json.child(body, "spec").put("activeDeadlineSeconds", 20)).until(30);
    assertThat(lab.seconds("term c")).containsExactly(20L);
    assertThat(lab.phase()).isEqualTo("Failed");
  }

  @Test
  void theStatusSaysWhichGenerationItIsAbout() {
    PodLifecycleFixture lab =
        pod("metadata: {generation: 3}\nspec:\n  containers: [{name: c, image: i}]\n");
    lab.until(5);
    assertThat(lab.status().path("observedGeneration").asInt()).isEqualTo(3);
    for (JsonNode condition : lab.status().path("conditions")) {
      assertThat(condition.path("observedGeneration").asInt()).isEqualTo(3);
    }
    lab.change(body -> Json.child(body, "metadata").put("generation", 4)).until(6);
    assertThat(lab.status().path("observedGeneration").asInt()).isEqualTo(4);
  }

  private static void debug(ObjectNode body, String more) {
    Json.child(body, "spec")
        .set("ephemeralContainers", Yaml.parse("[{name: debug, image: i" + more + "}]"));
  }

  private static JsonNode debugStatus(PodLifecycleFixture lab) {
    return lab.status().path("ephemeralContainerStatuses").path(0);
  }

  @Test
  void anEphemeralContainerRunsBesideTheOthersAndOnce() {
    PodLifecycleFixture lab =
        new PodLifecycleFixture(
            "spec:\n  containers: [{name: c, image: i}]\n",
            (name, _) ->
                name.equals("c") ? Behaviour.SERVES : Behaviour.exits(3, Duration.ofSeconds(10)));
    lab.until(5);
    assertThat(lab.status().has("ephemeralContainerStatuses")).isFalse();
    lab.change(body -> debug(body, "")).until(6);
    assertThat(debugStatus(lab).path("state").has("running")).isTrue();
    lab.until(120);
    assertThat(debugStatus(lab).path("state").path("terminated").path("exitCode").asInt())
        .isEqualTo(3);
    assertThat(lab.seconds("start debug")).containsExactly(5L);
    assertThat(lab.phase()).isEqualTo("Running");
    assertThat(lab.condition("Ready")).isEqualTo("True");
    assertThat(lab.seconds("start c")).as("the others go on").containsExactly(0L);
  }

  @Test
  void anEphemeralContainerEndsWithThePod() {
    PodLifecycleFixture lab = pod("spec:\n  containers: [{name: c, image: i}]\n");
    lab.until(5);
    lab.change(body -> debug(body, "")).until(6);
    lab.delete(30).until(20);
    assertThat(lab.seconds("term debug")).containsExactly(6L);
    assertThat(lab.removed).isTrue();
  }

  @Test
  void anEphemeralContainerWhoseTargetIsNotThereSaysSo() {
    PodLifecycleFixture lab = pod("spec:\n  containers: [{name: c, image: i}]\n");
    lab.until(5);
    lab.change(body -> debug(body, ", targetContainerName: other")).until(6);
    assertThat(Json.textOr(debugStatus(lab), "", "state", "waiting", "message"))
        .isEqualTo("target container \"other\" is not running");
    lab.change(body -> debug(body, ", targetContainerName: c")).until(6);
    assertThat(debugStatus(lab).path("state").has("running")).isTrue();
  }
}
