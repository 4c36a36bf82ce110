package io.fairlead.controller.disruption;

import static io.fairlead.client.ResourceType.PODS;
import static io.fairlead.client.ResourceType.POD_DISRUPTION_BUDGETS;
import static io.fairlead.client.ResourceType.REPLICATION_CONTROLLERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.replicaset.ReplicaSetController;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class DisruptionControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(
              List.of(
                  wiring -> ReplicaSetController.ofReplicationControllers(wiring, 0),
                  wiring -> new DisruptionController(wiring, 0)))
          .sees(DisruptionBudget.KIND, POD_DISRUPTION_BUDGETS)
          .sees(WorkloadPod.KIND, PODS)
          .sees(
              Objects.requireNonNull(ScaledOwner.KINDS.get(REPLICATION_CONTROLLERS.kind())),
              ResourceType.REPLICATION_CONTROLLERS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void budget(String spec) {
    world.create(
        POD_DISRUPTION_BUDGETS,
        "metadata: {name: budget, generation: 1}\nspec: {selector: {matchLabels: {app: web}}, "
            + spec
            + "}");
    world.settle();
  }

  private void ready(int count) {
    world.create(
        REPLICATION_CONTROLLERS,
        """
        metadata: {name: web}
        spec:
          replicas: %d
          selector: {app: web}
          template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}
        """
            .formatted(count));
    world.settle();
    world.pods().forEach(pod -> world.runs(pod.key().name(), true));
    world.settle();
  }

  private JsonNode status() {
    return world.get(POD_DISRUPTION_BUDGETS, "budget").path("status");
  }

  record Row(String name, String spec, int healthy, int desired, int allowed) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("so many must stay", "minAvailable: 3", 4, 3, 1),
        new Row("a share must stay, rounded up", "minAvailable: 60%", 4, 3, 1),
        new Row("so many may go", "maxUnavailable: 2", 4, 2, 2),
        new Row("a share may go, rounded up", "maxUnavailable: 30%", 4, 2, 2),
        new Row("none may go", "maxUnavailable: 0", 4, 4, 0),
        new Row("more must stay than there are", "minAvailable: 9", 4, 9, 0));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void rows(Row row) {
    ready(4);
    budget(row.spec());
    assertThat(status().path("currentHealthy").asInt()).isEqualTo(row.healthy());
    assertThat(status().path("desiredHealthy").asInt()).isEqualTo(row.desired());
    assertThat(status().path("disruptionsAllowed").asInt()).isEqualTo(row.allowed());
    assertThat(status().path("expectedPods").asInt()).isEqualTo(4);
    assertThat(status().path("observedGeneration").asInt()).isEqualTo(1);
    assertThat(StatusConditions.isTrue(status(), "DisruptionAllowed")).isEqualTo(row.allowed() > 0);
  }

  @Test
  void aPodThatIsNoLongerReadyDoesNotCount() {
    ready(3);
    budget("minAvailable: 2");
    assertThat(status().path("disruptionsAllowed").asInt()).isEqualTo(1);
    world.runs(world.pods().getFirst().key().name(), false);
    world.settle();
    assertThat(status().path("disruptionsAllowed").asInt()).isZero();
  }

  @Test
  void aGrantedEvictionCountsUntilItHasFailed() {
    ready(3);
    budget("minAvailable: 1");
    String evicted = world.pods().getFirst().key().name();
    world.patchStatus(
        POD_DISRUPTION_BUDGETS,
        "budget",
        Yaml.parse("{disruptedPods: {" + evicted + ": '" + world.clock.instant() + "'}}"));
    world.settle();
    assertThat(status().path("currentHealthy").asInt()).isEqualTo(2);
    assertThat(status().path("disruptedPods").has(evicted)).isTrue();
    world.advance(Duration.ofMinutes(3));
    assertThat(status().path("currentHealthy").asInt()).isEqualTo(3);
    assertThat(status().path("disruptedPods").has(evicted)).isFalse();
  }

  @Test
  void withoutAScaleNothingMayGo() {
    world.create(
        PODS,
        """
        metadata:
          name: alone
          labels: {app: web}
          ownerReferences:
          - {apiVersion: batch/v1, kind: Job, name: j, uid: j, controller: true}
        spec: {}
        """);
    budget("maxUnavailable: 1");
    assertThat(status().path("disruptionsAllowed").asInt()).isZero();
    assertThat(Json.textOr(StatusConditions.find(status(), "DisruptionAllowed"), "", "reason"))
        .isEqualTo("SyncFailed");
  }
}
