package io.fairlead.controller.daemonset;

import static io.fairlead.client.ResourceType.CONTROLLER_REVISIONS;
import static io.fairlead.client.ResourceType.DAEMON_SETS;
import static io.fairlead.client.ResourceType.NODES;
import static io.fairlead.client.ResourceType.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.DeleteOptions;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.workload.ControllerRevision;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The vectors WL-23 and WL-24.
class DaemonSetControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new DaemonSetController(wiring, 0)))
          .sees(DaemonSet.KIND, DAEMON_SETS)
          .sees(ControllerRevision.KIND, CONTROLLER_REVISIONS)
          .sees(Node.KIND, NODES)
          .sees(WorkloadPod.KIND, PODS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void nodes(int count) {
    for (int i = 1; i <= count; i++) {
      world.create(NODES, "{metadata: {name: n%d, labels: {disk: d%d}}}".formatted(i, i % 2));
    }
  }

  private void set(String more) {
    world.create(
        DAEMON_SETS,
        """
        metadata: {name: agent}
        spec:
          selector: {matchLabels: {app: agent}}
          template:
            metadata: {labels: {app: agent}}
            spec: {containers: [{name: agent, image: "agent:1"}]}
        """);
    world.patch(DAEMON_SETS, "agent", "spec: " + more);
    world.settle();
  }

  /// Every pod runs on the node it was made for.
  private void run() {
    for (int before = -1; before != world.api.writes().size(); ) {
      before = world.api.writes().size();
      for (WorkloadPod pod : world.pods()) {
        if (pod.nodeName().isEmpty()) {
          world.patch(PODS, pod.key().name(), "spec: {nodeName: " + pod.pinnedNode() + "}");
        }
        if (pod.active() && !pod.ready()) {
          world.runs(pod.key().name(), true);
        }
      }
      world.settle();
      world.reap();
    }
  }

  @Test
  void aVersionIsWrittenAsOthersCompareIt() {
    set("{}");
    assertThat(world.list(CONTROLLER_REVISIONS).getFirst().path("data").toString())
        .isEqualTo(
            "{\"spec\":{\"template\":{\"$patch\":\"replace\",\"metadata\":{\"labels\":{\"app\":\"agent\"}},"
                + "\"spec\":{\"containers\":[{\"image\":\"agent:1\",\"name\":\"agent\"}]}}}}");
  }

  private JsonNode status() {
    return world.get(DAEMON_SETS, "agent").path("status");
  }

  @Test
  void everyNodeGetsItsPodThroughTheScheduler() {
    nodes(3);
    set("{}");
    assertThat(world.pods())
        .extracting(WorkloadPod::pinnedNode)
        .containsExactlyInAnyOrder("n1", "n2", "n3");
    assertThat(world.pods()).extracting(WorkloadPod::nodeName).containsOnly("");
    run();
    assertThat(status().path("numberReady").asInt()).isEqualTo(3);
    assertThat(status().path("desiredNumberScheduled").asInt()).isEqualTo(3);
    assertThat(status().path("updatedNumberScheduled").asInt()).isEqualTo(3);
    world.create(NODES, "{metadata: {name: n4}}");
    world.settle();
    assertThat(world.pods()).hasSize(4);
  }

  @Test
  void onlyNodesThatMatchGetOne() {
    nodes(4);
    set("{template: {spec: {nodeSelector: {disk: d0}}}}");
    assertThat(world.pods())
        .extracting(WorkloadPod::pinnedNode)
        .containsExactlyInAnyOrder("n2", "n4");
    run();
    world.patch(NODES, "n2", "metadata: {labels: {disk: d1}}");
    world.settle();
    world.reap();
    assertThat(world.pods()).extracting(WorkloadPod::nodeName).containsExactly("n4");
  }

  @Test
  void wl23TwoOfFifteenAtATime() {
    nodes(15);
    set("{updateStrategy: {type: RollingUpdate, rollingUpdate: {maxUnavailable: \"10%\"}}}");
    run();
    world.patch(
        DAEMON_SETS,
        "agent",
        "spec: {template: {spec: {containers: [{name: agent, image: \"agent:2\"}]}}}");
    world.settle();
    assertThat(world.pods().stream().filter(WorkloadPod::terminating)).hasSize(2);
    world.reap();
    assertThat(world.pods().stream().filter(WorkloadPod::terminating)).isEmpty();
    run();
    assertThat(status().path("updatedNumberScheduled").asInt()).isEqualTo(15);
    assertThat(status().path("numberAvailable").asInt()).isEqualTo(15);
  }

  @Test
  void withSurgeTheOldPodGoesWhenTheNewOneServes() {
    nodes(2);
    set("{updateStrategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}}");
    run();
    world.patch(
        DAEMON_SETS,
        "agent",
        "spec: {template: {spec: {containers: [{name: agent, image: \"agent:2\"}]}}}");
    world.settle();
    assertThat(world.pods()).hasSize(3);
    assertThat(world.pods().stream().filter(WorkloadPod::terminating)).isEmpty();
    run();
    assertThat(world.pods()).hasSize(2);
    assertThat(status().path("updatedNumberScheduled").asInt()).isEqualTo(2);
  }

  @Test
  void wl24ATaintAgainstNewPodsLeavesTheOneThatRuns() {
    nodes(1);
    set("{}");
    run();
    world.patch(NODES, "n1", "spec: {taints: [{key: k, effect: NoSchedule}]}");
    world.settle();
    assertThat(world.pods()).hasSize(1).noneMatch(WorkloadPod::terminating);
    world.delete(PODS, world.pods().getFirst().key().name(), DeleteOptions.DEFAULT.within(0));
    world.settle();
    assertThat(world.pods()).as("and none is made again").isEmpty();
    world.patch(NODES, "n1", "spec: {taints: []}");
    world.settle();
    run();
    world.patch(NODES, "n1", "spec: {taints: [{key: k, effect: NoExecute}]}");
    world.settle();
    assertThat(world.pods()).hasSize(1).allMatch(WorkloadPod::terminating);
  }

  @Test
  void aCordonedOrLostNodeKeepsItsDaemons() {
    nodes(1);
    set("{}");
    run();
    world.patch(
        NODES,
        "n1",
        """
        spec:
          unschedulable: true
          taints:
          - {key: node.kubernetes.io/unschedulable, effect: NoSchedule}
          - {key: node.kubernetes.io/unreachable, effect: NoExecute}
        """);
    world.settle();
    assertThat(world.pods()).hasSize(1).noneMatch(WorkloadPod::terminating);
  }

  @Test
  void aFailedPodIsReplacedAfterAPauseThatGrows() {
    nodes(1);
    set("{}");
    run();
    world.ends(world.pods().getFirst().key().name(), "Failed");
    world.settle();
    world.reap();
    assertThat(world.pods()).hasSize(1).noneMatch(WorkloadPod::finished);
    run();
    world.ends(world.pods().getFirst().key().name(), "Failed");
    world.settle();
    assertThat(world.pods()).as("not at once").hasSize(1).noneMatch(WorkloadPod::terminating);
    world.advance(java.time.Duration.ofSeconds(2));
    assertThat(world.pods()).allMatch(WorkloadPod::terminating);
    world.until(() -> !world.messages("FailedDaemonPod").isEmpty());
  }
}
