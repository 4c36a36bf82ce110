package io.fairlead.controller.replicaset;

import static io.fairlead.client.ResourceType.PODS;
import static io.fairlead.client.ResourceType.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.DeleteOptions.Propagation;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.controller.garbage.GarbageCollector;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The vectors WL-13 to WL-18.
class ReplicaSetControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new ReplicaSetController(wiring, 0)))
          .sees(ReplicaSet.KIND, REPLICA_SETS)
          .sees(WorkloadPod.KIND, PODS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  /// Refuses pods beyond a number.
  private static final class Quota implements Consumer<ApiRequest> {
    private final int allowed;
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger askedInFirstRun = new AtomicInteger();

    Quota(int allowed) {
      this.allowed = allowed;
    }

    @Override
    public void accept(ApiRequest request) {
      if (request.path().endsWith("/replicasets/web/status")) {
        askedInFirstRun.compareAndSet(0, asked.get()); // the status ends a run
      }
      if (request.method().equals("POST")
          && request.path().endsWith("/pods")
          && asked.incrementAndGet() > allowed) {
        throw ApiException.forbidden("", "pods", "", "exceeded quota: pods");
      }
    }
  }

  private void replicaSet(int replicas, String more) {
    world.create(
        REPLICA_SETS,
        """
        metadata: {name: web}
        spec:
          replicas: %d
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {containers: [{name: web, image: "web:1"}]}
        """
            .formatted(replicas));
    world.patch(REPLICA_SETS, "web", "spec: " + more);
    world.settle();
  }

  private void scale(int replicas) {
    world.patch(REPLICA_SETS, "web", "spec: {replicas: " + replicas + "}");
    world.settle();
  }

  private List<String> active() {
    return world.pods().stream().filter(WorkloadPod::active).map(pod -> pod.key().name()).toList();
  }

  private tools.jackson.databind.JsonNode status() {
    return world.get(REPLICA_SETS, "web").path("status");
  }

  @Test
  void wl13AQuotaStopsTheBatchesEarly() {
    Quota quota = new Quota(3);
    world.api.intercept(quota);
    replicaSet(500, "{}");
    assertThat(world.pods()).hasSize(3);
    assertThat(quota.askedInFirstRun).as("batches of 1, 2 and 4").hasValue(7);
    assertThat(Json.text(StatusConditions.find(status(), "ReplicaFailure"), "reason"))
        .isEqualTo("FailedCreate");
    world.until(() -> !world.messages("FailedCreate").isEmpty());
    assertThat(world.messages("FailedCreate").getFirst())
        .startsWith("Error creating: pods is forbidden: exceeded quota");
  }

  @Test
  void wl14ThePendingOneGoesFirst() {
    replicaSet(3, "{}");
    List<String> names = active();
    world.runs(names.get(1), true);
    world.runs(names.get(2), false);
    world.settle();
    scale(2);
    assertThat(active()).containsExactlyInAnyOrder(names.get(1), names.get(2));
    scale(1);
    assertThat(active()).as("then the one that is not ready").containsExactly(names.get(1));
  }

  @Test
  void wl15OfEqualOnesTheCheaperGoes() {
    replicaSet(2, "{}");
    List<String> names = active();
    names.forEach(name -> world.runs(name, true));
    world.patch(
        PODS,
        names.get(1),
        "metadata: {annotations: {controller.kubernetes.io/pod-deletion-cost: \"-5\"}}");
    world.settle();
    scale(1);
    assertThat(active()).containsExactly(names.get(0));
  }

  @Test
  void wl16APodThatNoLongerMatchesIsLetGoAndReplaced() {
    replicaSet(2, "{}");
    String lost = active().getFirst();
    world.patch(PODS, lost, "metadata: {labels: {app: debug}}");
    world.settle();
    assertThat(world.pod(lost).controller()).isEmpty();
    assertThat(world.pod(lost).terminating()).isFalse();
    assertThat(active()).hasSize(3);
  }

  @Test
  void wl17AnOrphanIsTakenInAndOneTooManyGoes() {
    replicaSet(3, "{}");
    world.create(PODS, "{metadata: {name: stray, labels: {app: web}}, spec: {containers: []}}");
    world.settle();
    assertThat(active()).hasSize(3);
    world.pods().forEach(pod -> assertThat(pod.controller()).as(pod.key().name()).isPresent());
  }

  @Test
  void wl18OrphanedPodsKeepRunning() {
    replicaSet(2, "{}");
    try (GarbageCollector _ = world.collector()) {
      world.delete(REPLICA_SETS, "web", DeleteOptions.of(Propagation.ORPHAN));
      world.until(() -> !world.exists(REPLICA_SETS, "web"));
      assertThat(world.pods()).hasSize(2).allMatch(pod -> pod.controller().isEmpty());
      assertThat(world.pods()).noneMatch(WorkloadPod::terminating);
    }
  }

  @Test
  void aPodThatFinishedIsReplaced() {
    replicaSet(1, "{}");
    String first = active().getFirst();
    world.ends(first, "Failed");
    world.settle();
    assertThat(active()).hasSize(1).doesNotContain(first);
  }

  @Test
  void availableIsToldWhenTheTimeHasPassed() {
    replicaSet(1, "{minReadySeconds: 30}");
    world.runs(active().getFirst(), true);
    world.settle();
    assertThat(status().path("readyReplicas").asInt()).isEqualTo(1);
    assertThat(status().path("availableReplicas").asInt()).isZero();
    world.advance(Duration.ofSeconds(29));
    assertThat(status().path("availableReplicas").asInt()).isZero();
    world.advance(Duration.ofSeconds(1));
    assertThat(status().path("availableReplicas").asInt()).isEqualTo(1);
  }

  @Test
  void aSuccessorOfTheSameNameDoesNotGetThePodsOfItsPredecessor() {
    replicaSet(1, "{}");
    String first = active().getFirst();
    world.delete(REPLICA_SETS, "web", DeleteOptions.of(Propagation.BACKGROUND));
    world.settle();
    replicaSet(1, "{}");
    assertThat(active()).hasSize(2).contains(first);
  }
}
