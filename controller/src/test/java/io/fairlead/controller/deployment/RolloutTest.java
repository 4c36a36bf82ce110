package io.fairlead.controller.deployment;

import static io.fairlead.client.ResourceType.DEPLOYMENTS;
import static io.fairlead.client.ResourceType.PODS;
import static io.fairlead.client.ResourceType.REPLICA_SETS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.replicaset.ReplicaSet;
import io.fairlead.controller.replicaset.ReplicaSetController;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The vectors WL-1 to WL-12: a Deployment and its ReplicaSets, step by step.
class RolloutTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(
              List.of(
                  wiring -> new DeploymentController(wiring, 0),
                  wiring -> new ReplicaSetController(wiring, 0)))
          .sees(Deployment.KIND, DEPLOYMENTS)
          .sees(ReplicaSet.KIND, REPLICA_SETS)
          .sees(WorkloadPod.KIND, PODS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void deploy(int replicas, String more) {
    world.create(
        DEPLOYMENTS,
        """
        metadata: {name: web}
        spec:
          replicas: %d
          progressDeadlineSeconds: 600
          revisionHistoryLimit: 10
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {containers: [{name: web, image: "web:1"}]}
        """
            .formatted(replicas));
    world.patch(DEPLOYMENTS, "web", "spec: " + more);
    world.settle();
  }

  private void image(String image) {
    world.patch(
        DEPLOYMENTS,
        "web",
        "spec: {template: {spec: {containers: [{name: web, image: \"" + image + "\"}]}}}");
    world.settle();
  }

  private List<ReplicaSet> sets() {
    return world.list(REPLICA_SETS).stream()
        .map(ReplicaSet::of)
        .sorted(Comparator.comparingLong(DeploymentRevisions::number))
        .toList();
  }

  private ReplicaSet setOf(String image) {
    return sets().stream()
        .filter(set -> set.template().toString().contains("\"" + image + "\""))
        .findFirst()
        .orElseThrow();
  }

  /// Image to number of pods asked for.
  private Map<String, Integer> sizes() {
    Map<String, Integer> sizes = new TreeMap<>();
    sets().forEach(set -> sizes.put(image(set), set.replicas()));
    return sizes;
  }

  private static String image(ReplicaSet set) {
    return set.template().at("/spec/containers/0/image").asString("");
  }

  private List<WorkloadPod> podsOf(String image) {
    String uid = setOf(image).metadata().uid();
    return world.pods().stream()
        .filter(pod -> pod.controller().map(owner -> owner.uid().equals(uid)).orElse(false))
        .toList();
  }

  private JsonNode status() {
    return world.get(DEPLOYMENTS, "web").path("status");
  }

  private String progressing() {
    JsonNode condition = StatusConditions.find(status(), "Progressing");
    return Json.textOr(condition, "", "status") + " " + Json.textOr(condition, "", "reason");
  }

  private static final String LIMITS =
      "{strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 3, maxUnavailable: 2}}}";

  private void rollToNew() {
    deploy(10, LIMITS);
    world.runEverything();
    world.clock.advance(Duration.ofSeconds(5));
    image("web:2");
  }

  @Test
  void aFirstRollOutEndsComplete() {
    deploy(3, "{}");
    assertThat(progressing()).isEqualTo("True ReplicaSetUpdated");
    assertThat(status().path("unavailableReplicas").asInt()).isEqualTo(3);
    world.runEverything();
    assertThat(status().path("availableReplicas").asInt()).isEqualTo(3);
    assertThat(status().path("updatedReplicas").asInt()).isEqualTo(3);
    assertThat(progressing()).isEqualTo("True NewReplicaSetAvailable");
    assertThat(Json.text(StatusConditions.find(status(), "Progressing"), "message"))
        .isEqualTo("ReplicaSet \"" + sets().getFirst().name() + "\" has successfully progressed.");
    assertThat(StatusConditions.isTrue(status(), "Available")).isTrue();
    assertThat(
            world
                .get(DEPLOYMENTS, "web")
                .at("/metadata/annotations")
                .path(DeploymentRevisions.REVISION)
                .asString(""))
        .isEqualTo("1");
    assertThat(world.get(DEPLOYMENTS, "web").path("metadata").path("generation").asInt())
        .as("written through status, so nothing to observe anew")
        .isEqualTo(status().path("observedGeneration").asInt());
    ReplicaSet set = sets().getFirst();
    String hash = set.metadata().labels().getOrDefault(DeploymentRevisions.HASH, "");
    assertThat(set.name()).isEqualTo("web-" + hash);
    assertThat(set.selector().toString()).isEqualTo("app=web,pod-template-hash=" + hash);
    assertThat(world.pods())
        .allMatch(pod -> hash.equals(pod.metadata().labels().get(DeploymentRevisions.HASH)));
  }

  @Test
  void restartedOnAHealthyClusterNothingIsWritten() {
    deploy(3, "{}");
    world.runEverything();
    int before = world.api.writes().size();
    world.patch(PODS, world.pods().getFirst().key().name(), "metadata: {annotations: {a: b}}");
    world.settle();
    assertThat(world.api.writes()).hasSize(before + 1);
  }

  @Test
  void wl1StepByStepWithinTheLimits() {
    rollToNew();
    assertThat(sizes()).isEqualTo(Map.of("web:1", 8, "web:2", 5));
    String old = setOf("web:1").name();
    String fresh = setOf("web:2").name();
    world.until(() -> world.messages("ScalingReplicaSet").size() == 4);
    assertThat(world.messages("ScalingReplicaSet"))
        .containsExactlyInAnyOrder(
            "Scaled up replica set " + old + " from 0 to 10",
            "Scaled up replica set " + fresh + " from 0 to 3",
            "Scaled down replica set " + old + " from 10 to 8",
            "Scaled up replica set " + fresh + " from 3 to 5");
    int steps = 0;
    while (!progressing().equals("True NewReplicaSetAvailable")) {
      assertThat(steps++).as("steps of the roll-out").isLessThan(50);
      world.pods().stream()
          .filter(pod -> pod.active() && !pod.ready())
          .findFirst()
          .ifPresent(pod -> world.runs(pod.key().name(), true));
      world.settle();
      long available = world.pods().stream().filter(pod -> pod.active() && pod.ready()).count();
      long total = world.pods().stream().filter(WorkloadPod::active).count();
      assertThat(available).as("available").isGreaterThanOrEqualTo(8);
      assertThat(total).as("total").isLessThanOrEqualTo(13);
      world.reap();
    }
    assertThat(sizes()).isEqualTo(Map.of("web:1", 0, "web:2", 10));
  }

  @Test
  void wl2NewPodsThatNeverBecomeReadyStopTheRollOut() {
    rollToNew();
    world.reap();
    assertThat(sizes()).isEqualTo(Map.of("web:1", 8, "web:2", 5));
    world.runs(podsOf("web:1").getFirst().key().name(), false);
    world.settle();
    assertThat(sizes()).isEqualTo(Map.of("web:1", 8, "web:2", 5));
  }

  @Test
  void wl3ThenUndone() {
    rollToNew();
    world.reap();
    image("web:1");
    assertThat(podsOf("web:2").stream().filter(WorkloadPod::active).count())
        .as("13 - 8 - 1 of the bad pods went, at least")
        .isLessThanOrEqualTo(1);
    world.runEverything();
    assertThat(sizes()).isEqualTo(Map.of("web:1", 10, "web:2", 0));
    assertThat(world.pods()).hasSize(10);
  }

  @Test
  void wl4OneReplicaIsNeverMissing() {
    deploy(1, "{}");
    world.runEverything();
    image("web:2");
    assertThat(sizes()).isEqualTo(Map.of("web:1", 1, "web:2", 1));
    world.runs(podsOf("web:2").getFirst().key().name(), true);
    world.settle();
    assertThat(sizes()).isEqualTo(Map.of("web:1", 0, "web:2", 1));
  }

  @Test
  void wl5FourReplicas() {
    deploy(4, "{}");
    Deployment four = Deployment.of(world.get(DEPLOYMENTS, "web"));
    assertThat(four.maxSurge()).isEqualTo(1);
    assertThat(four.maxUnavailable()).isEqualTo(1);
  }

  @Test
  void wl6BothRoundedToZeroMeansOneMayBeMissing() {
    deploy(
        2,
        "{strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: \"1%\"}}}");
    world.runEverything();
    image("web:2");
    assertThat(sizes()).isEqualTo(Map.of("web:1", 1, "web:2", 1));
  }

  @Test
  void wl7ScaledInTheMiddleBothGrowInProportion() {
    rollToNew();
    world.patch(DEPLOYMENTS, "web", "spec: {replicas: 15}");
    world.settle();
    assertThat(sizes()).isEqualTo(Map.of("web:1", 11, "web:2", 7));
  }

  @Test
  void wl8WhilePausedNothingRolls() {
    deploy(2, "{paused: false}");
    world.runEverything();
    world.patch(DEPLOYMENTS, "web", "spec: {paused: true}");
    image("web:2");
    assertThat(sizes()).isEqualTo(Map.of("web:1", 2));
    assertThat(progressing()).isEqualTo("Unknown DeploymentPaused");
    world.patch(DEPLOYMENTS, "web", "spec: {replicas: 4}");
    world.settle();
    assertThat(sizes()).as("scaling goes on").isEqualTo(Map.of("web:1", 4));
    world.patch(DEPLOYMENTS, "web", "spec: {paused: false}");
    world.runEverything();
    assertThat(sizes()).isEqualTo(Map.of("web:1", 0, "web:2", 4));
    assertThat(progressing()).isEqualTo("True NewReplicaSetAvailable");
  }

  @Test
  void wl9ARollBackUsesTheOldReplicaSetUnderANewNumber() {
    deploy(1, "{}");
    world.runEverything();
    image("web:2");
    world.runEverything();
    image("web:3");
    world.runEverything();
    assertThat(sets()).hasSize(3);
    image("web:1");
    world.runEverything();
    assertThat(sets()).hasSize(3);
    assertThat(setOf("web:1").annotation(DeploymentRevisions.REVISION)).isEqualTo("4");
    assertThat(setOf("web:1").annotation(DeploymentRevisions.HISTORY)).isEqualTo("1");
    assertThat(sizes()).isEqualTo(Map.of("web:1", 1, "web:2", 0, "web:3", 0));
  }

  @Test
  void wl10AfterTheDeadlineItIsToldAndPodsAreKept() {
    deploy(2, "{progressDeadlineSeconds: 10}");
    assertThat(progressing()).isEqualTo("True ReplicaSetUpdated");
    world.advance(Duration.ofSeconds(9));
    assertThat(progressing()).isEqualTo("True ReplicaSetUpdated");
    world.advance(Duration.ofSeconds(3));
    assertThat(progressing()).isEqualTo("False ProgressDeadlineExceeded");
    assertThat(world.pods()).hasSize(2);
    world.runEverything();
    assertThat(progressing()).isEqualTo("True NewReplicaSetAvailable");
  }

  @Test
  void wl11RecreateWaitsForEveryOldPod() {
    deploy(2, "{strategy: {type: Recreate}}");
    world.runEverything();
    image("web:2");
    assertThat(sizes()).isEqualTo(Map.of("web:1", 0));
    assertThat(world.pods()).hasSize(2).allMatch(WorkloadPod::terminating);
    WorkloadPod first = world.pods().getFirst();
    world.client.delete(PODS, first.key(), io.fairlead.client.DeleteOptions.DEFAULT.within(0));
    world.settle();
    assertThat(sizes()).as("one is still going").isEqualTo(Map.of("web:1", 0));
    world.reap();
    assertThat(sizes()).isEqualTo(Map.of("web:1", 0, "web:2", 2));
  }

  @Test
  void wl12OldVersionsBeyondTheLimitGoWhenTheRollOutIsComplete() {
    deploy(1, "{revisionHistoryLimit: 2}");
    world.runEverything();
    for (int version = 2; version <= 5; version++) {
      image("web:" + version);
      if (version == 5) {
        assertThat(sizes()).as("not before").containsKeys("web:2", "web:3", "web:4", "web:5");
      }
      world.runEverything();
    }
    assertThat(sizes()).isEqualTo(Map.of("web:3", 0, "web:4", 0, "web:5", 1));
  }

  @Test
  void aNameThatIsTakenIsAvoided() {
    world.create(
        DEPLOYMENTS,
        """
        metadata: {name: other}
        spec:
          replicas: 0
          selector: {matchLabels: {app: other}}
          template:
            metadata: {labels: {app: other}}
            spec: {containers: [{name: web, image: "web:1"}]}
        """);
    world.settle();
    String taken = ReplicaSetControl.nameFor(Deployment.of(planned()));
    world.create(
        REPLICA_SETS,
        """
        metadata: {name: %s}
        spec:
          replicas: 0
          selector: {matchLabels: {app: third}}
          template: {metadata: {labels: {app: third}}, spec: {containers: []}}
        """
            .formatted(taken));
    deploy(1, "{}");
    world.advance(Duration.ofSeconds(1));
    assertThat(status().path("collisionCount").asInt()).isEqualTo(1);
    assertThat(setOf("web:1").name()).isNotEqualTo(taken);
  }

  private tools.jackson.databind.node.ObjectNode planned() {
    return (tools.jackson.databind.node.ObjectNode)
        io.fairlead.api.yaml.Yaml.parse(
            """
            metadata: {name: web, namespace: default}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: web, image: "web:1"}]}
            """);
  }

  @Test
  void annotationsOfTheDeploymentReachItsReplicaSet() {
    deploy(1, "{}");
    world.patch(
        DEPLOYMENTS,
        "web",
        """
        metadata:
          annotations:
            kubernetes.io/change-cause: because
            kubectl.kubernetes.io/last-applied-configuration: "{}"
        """);
    world.settle();
    assertThat(setOf("web:1").annotation("kubernetes.io/change-cause")).isEqualTo("because");
    assertThat(setOf("web:1").annotation("kubectl.kubernetes.io/last-applied-configuration"))
        .isEmpty();
  }

  @Test
  void aSelectorThatSelectsEverythingIsOnlyToldAbout() {
    world.create(
        DEPLOYMENTS,
        """
        metadata: {name: all}
        spec: {selector: {}, template: {metadata: {labels: {a: b}}, spec: {containers: []}}}
        """);
    world.until(() -> world.messages("SelectingAll").size() == 1);
    assertThat(world.list(ResourceType.REPLICA_SETS)).isEmpty();
  }
}
