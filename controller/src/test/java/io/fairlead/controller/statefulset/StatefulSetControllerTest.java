package io.fairlead.controller.statefulset;

import static io.fairlead.client.ResourceType.CONTROLLER_REVISIONS;
import static io.fairlead.client.ResourceType.PERSISTENT_VOLUME_CLAIMS;
import static io.fairlead.client.ResourceType.PODS;
import static io.fairlead.client.ResourceType.STATEFUL_SETS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The vectors WL-19 to WL-22.
class StatefulSetControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new StatefulSetController(wiring, 0)))
          .sees(StatefulSet.KIND, STATEFUL_SETS)
          .sees(ControllerRevision.KIND, CONTROLLER_REVISIONS)
          .sees(WorkloadPod.KIND, PODS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void set(int replicas, String more) {
    world.create(
        STATEFUL_SETS,
        """
        metadata: {name: web}
        spec:
          replicas: %d
          serviceName: db
          selector: {matchLabels: {app: web}}
          template:
            metadata: {labels: {app: web}}
            spec: {containers: [{name: web, image: "web:1"}]}
        """
            .formatted(replicas));
    world.patch(STATEFUL_SETS, "web", "spec: " + more);
    world.settle();
  }

  private void image(String image) {
    world.patch(
        STATEFUL_SETS,
        "web",
        "spec: {template: {spec: {containers: [{name: web, image: \"" + image + "\"}]}}}");
    world.settle();
  }

  private List<String> names() {
    return world.pods().stream().map(pod -> pod.key().name()).sorted().toList();
  }

  private String imageOf(String pod) {
    return world.get(PODS, pod).at("/spec/containers/0/image").asString("");
  }

  private JsonNode status() {
    return world.get(STATEFUL_SETS, "web").path("status");
  }

  @Test
  void wl19ThePodThatIsNeverReadyHoldsUpTheNext() {
    set(3, "{}");
    assertThat(names()).containsExactly("web-0");
    world.runs("web-0", true);
    world.settle();
    assertThat(names()).containsExactly("web-0", "web-1");
    world.runs("web-1", false);
    world.settle();
    assertThat(names()).containsExactly("web-0", "web-1");
    world.runs("web-1", true);
    world.settle();
    assertThat(names()).containsExactly("web-0", "web-1", "web-2");
  }

  @Test
  void wl20EveryPodHasItsNameUnderTheService() {
    set(1, "{}");
    JsonNode pod = world.get(PODS, "web-0");
    assertThat(Json.text(pod, "spec", "hostname")).isEqualTo("web-0");
    assertThat(Json.text(pod, "spec", "subdomain")).isEqualTo("db");
    assertThat(world.pod("web-0").metadata().labels())
        .containsEntry("statefulset.kubernetes.io/pod-name", "web-0")
        .containsEntry("apps.kubernetes.io/pod-index", "0")
        .containsEntry("controller-revision-hash", Json.text(status(), "updateRevision"));
  }

  @Test
  void wl21BelowThePartitionNothingIsReplaced() {
    set(4, "{updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}}");
    world.runEverything();
    image("web:2");
    assertThat(world.pods().stream().filter(WorkloadPod::terminating).map(pod -> pod.key().name()))
        .containsExactly("web-3");
    world.reap();
    assertThat(imageOf("web-3")).isEqualTo("web:2");
    assertThat(world.pod("web-2").terminating()).as("waits for web-3").isFalse();
    world.runEverything();
    assertThat(List.of("web-0", "web-1", "web-2", "web-3").stream().map(this::imageOf))
        .containsExactly("web:1", "web:1", "web:2", "web:2");
    world.client.delete(
        PODS, world.pod("web-0").key(), io.fairlead.client.DeleteOptions.DEFAULT.within(0));
    world.settle();
    assertThat(imageOf("web-0")).as("made again from the old version").isEqualTo("web:1");
    assertThat(status().path("updatedReplicas").asInt()).isEqualTo(2);
    assertThat(Json.text(status(), "currentRevision"))
        .isNotEqualTo(Json.text(status(), "updateRevision"));
  }

  @Test
  void wl22ScaledDownFromTheEndOneAfterTheOther() {
    set(3, "{}");
    world.runEverything();
    world.patch(STATEFUL_SETS, "web", "spec: {replicas: 1}");
    world.settle();
    assertThat(world.pod("web-2").terminating()).isTrue();
    assertThat(world.pod("web-1").terminating()).isFalse();
    world.reap();
    assertThat(names()).containsExactly("web-0", "web-1");
    assertThat(world.pod("web-1").terminating()).isTrue();
    world.reap();
    assertThat(names()).containsExactly("web-0");
  }

  @Test
  void inParallelAllAreMadeAndDeletedAtOnce() {
    set(3, "{podManagementPolicy: Parallel}");
    assertThat(names()).containsExactly("web-0", "web-1", "web-2");
    world.runEverything();
    world.patch(STATEFUL_SETS, "web", "spec: {replicas: 0}");
    world.settle();
    assertThat(world.pods()).allMatch(WorkloadPod::terminating);
  }

  @Test
  void aRollOutEndsWithTheNewVersionAsTheCurrentOne() {
    set(2, "{}");
    world.runEverything();
    image("web:2");
    world.runEverything();
    assertThat(Json.text(status(), "currentRevision"))
        .isEqualTo(Json.text(status(), "updateRevision"));
    assertThat(status().path("currentReplicas").asInt()).isEqualTo(2);
    assertThat(world.list(CONTROLLER_REVISIONS)).hasSize(2);
    image("web:1");
    world.runEverything();
    assertThat(world.list(CONTROLLER_REVISIONS)).as("the old version came back").hasSize(2);
    assertThat(imageOf("web-0")).isEqualTo("web:1");
  }

  @Test
  void onDeleteWaitsForSomebodyToDelete() {
    set(1, "{updateStrategy: {type: OnDelete}}");
    world.runEverything();
    image("web:2");
    assertThat(world.pod("web-0").terminating()).isFalse();
    world.client.delete(
        PODS, world.pod("web-0").key(), io.fairlead.client.DeleteOptions.DEFAULT.within(0));
    world.settle();
    assertThat(imageOf("web-0")).isEqualTo("web:2");
  }

  @Test
  void aBrokenVersionStaysStuckUntilItsPodIsDeleted() {
    set(2, "{}");
    world.runEverything();
    image("web:broken");
    world.reap();
    world.runs("web-1", false);
    image("web:3");
    assertThat(world.pod("web-1").terminating()).isFalse();
    assertThat(imageOf("web-1")).isEqualTo("web:broken");
  }

  @Test
  void aPodThatFinishedIsMadeAgain() {
    set(1, "{}");
    world.ends("web-0", "Succeeded");
    world.settle();
    world.reap();
    assertThat(world.pod("web-0").finished()).isFalse();
  }

  @Test
  void everyPodHasItsClaim() {
    set(1, "{volumeClaimTemplates: [{metadata: {name: data}, spec: {}}]}");
    assertThat(world.exists(PERSISTENT_VOLUME_CLAIMS, "data-web-0")).isTrue();
    assertThat(
            world
                .get(PODS, "web-0")
                .at("/spec/volumes/0/persistentVolumeClaim/claimName")
                .asString(""))
        .isEqualTo("data-web-0");
  }

  @Test
  void ordinalsMayBeginElsewhere() {
    set(2, "{ordinals: {start: 5}, podManagementPolicy: Parallel}");
    assertThat(names()).containsExactly("web-5", "web-6");
  }
}
