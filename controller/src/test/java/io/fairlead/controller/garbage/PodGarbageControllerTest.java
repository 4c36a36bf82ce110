package io.fairlead.controller.garbage;

import static io.fairlead.client.ResourceType.NODES;
import static io.fairlead.client.ResourceType.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.DeleteOptions;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The vector NL-5 and the other pods that no other controller takes away.
class PodGarbageControllerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new PodGarbageController(wiring, 0, 2)))
          .sees(Node.KIND, NODES)
          .sees(WorkloadPod.KIND, PODS)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void pod(String name, String node) {
    world.create(
        PODS, "{metadata: {name: %s}, spec: {containers: [], nodeName: %s}}".formatted(name, node));
  }

  private void pass(int seconds) {
    for (int i = 0; i < seconds; i += 20) {
      world.advance(Duration.ofSeconds(20));
    }
  }

  private List<String> names() {
    return world.pods().stream().map(pod -> pod.key().name()).sorted().toList();
  }

  @Test
  void nl5PodsOfANodeThatIsGone() {
    world.create(NODES, "{metadata: {name: n1}}");
    pod("p", "n1");
    pass(100);
    assertThat(names()).containsExactly("p");
    world.delete(NODES, "n1", DeleteOptions.DEFAULT);
    pass(40);
    assertThat(names()).as("a while it may come back").containsExactly("p");
    pass(40);
    assertThat(names()).isEmpty();
  }

  @Test
  void nl5ThePodIsMarkedAsFailedFirst() {
    world.create(
        PODS,
        """
        metadata: {name: held, finalizers: [example.com/hold]}
        spec: {containers: [], nodeName: n9}
        """);
    pass(80);
    assertThat(world.pod("held").phase()).isEqualTo("Failed");
    assertThat(world.pod("held").terminating()).isTrue();
    assertThat(world.get(PODS, "held").at("/status/conditions/0/reason").asString(""))
        .isEqualTo("DeletionByPodGC");
  }

  @Test
  void theOldestOfTooManyThatFinished() {
    world.create(NODES, "{metadata: {name: n1}}");
    for (String name : List.of("a", "b", "c")) {
      pod(name, "n1");
      world.ends(name, "Succeeded");
      world.clock.advance(Duration.ofSeconds(1));
    }
    pass(40);
    assertThat(names()).containsExactly("b", "c");
  }

  @Test
  void aRefusedPodDoesNotKeepTheOthers() {
    pod("a", "n9");
    pod("b", "n9");
    world.refuseWritesTo("pods", "a");
    pass(80);
    assertThat(names()).containsExactly("a");
  }

  @Test
  void aRefusedDeletionDoesNotKeepTheOthers() {
    world.create(NODES, "{metadata: {name: n1}}");
    for (String name : List.of("a", "b", "c", "d")) {
      pod(name, "n1");
      world.ends(name, "Succeeded");
      world.clock.advance(Duration.ofSeconds(1));
    }
    world.refuseWritesTo("pods", "a");
    pass(40);
    assertThat(names()).containsExactly("a", "c", "d");
  }

  @Test
  void onANodeThatIsOutOfServiceWhatIsDeletedGoesAtOnce() {
    world.create(NODES, "{metadata: {name: n1}}");
    pod("p", "n1");
    world.delete(PODS, "p", DeleteOptions.DEFAULT);
    pass(40);
    assertThat(names()).containsExactly("p");
    world.patch(
        NODES,
        "n1",
        "spec: {taints: [{key: node.kubernetes.io/out-of-service, effect: NoExecute}]}");
    pass(40);
    assertThat(names()).isEmpty();
  }
}
