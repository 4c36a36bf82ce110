package io.fairlead.controller.node;

import static io.fairlead.client.ResourceType.LEASES;
import static io.fairlead.client.ResourceType.NODES;
import static io.fairlead.client.ResourceType.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Times;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.V1Node;
import io.fairlead.controller.NodeOptions;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.placement.Taint;
import io.fairlead.controller.placement.Toleration;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadPod;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The vectors NL-1 to NL-4 on a clock that is moved by hand.
class NodeLifecycleTest {
  private static final Duration STEP = Duration.ofSeconds(5);
  private static final String LEAVE = Taint.UNREACHABLE + ":NoExecute";
  private static final String STAY_AWAY = Taint.UNREACHABLE + ":NoSchedule";
  private static final String FIVE_MINUTES =
      "[{key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute,"
          + " tolerationSeconds: 300}, {key: node.kubernetes.io/unreachable, operator: Exists,"
          + " effect: NoExecute, tolerationSeconds: 300}]";

  private final WorkloadTestCluster world =
      new WorkloadTestCluster(
              List.of(
                  wiring -> new NodeLifecycleController(wiring, NodeOptions.GRACE, 0),
                  wiring -> new TaintEvictionController(wiring, 0)))
          .sees(Node.KIND, NODES)
          .sees(WorkloadPod.KIND, PODS)
          .sees(NodeLease.KIND, LEASES)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void node(String name) {
    world.create(
        NODES,
        """
        metadata: {name: %s}
        status:
          conditions: [{type: Ready, status: "True", lastHeartbeatTime: "2026-01-01T00:00:00Z"}]
        """
            .formatted(name));
    if (!world.exists(ResourceType.NAMESPACES, "kube-node-lease")) {
      world.create(ResourceType.NAMESPACES, "{metadata: {name: kube-node-lease}}");
    }
    ObjectNode lease = Json.object();
    lease.putObject("metadata").put("name", name);
    lease.putObject("spec").put("renewTime", Times.microseconds(world.clock.instant()));
    world.client.create(LEASES, "kube-node-lease", lease);
    world.settle();
  }

  private void beat(String name) {
    ObjectNode patch = Json.object();
    patch.putObject("spec").put("renewTime", Times.microseconds(world.clock.instant()));
    world.client.patch(LEASES, new ObjectKey("kube-node-lease", name), PatchType.MERGE, patch);
  }

  /// Lets time pass while these nodes show that they are alive.
  private void pass(int seconds, String... alive) {
    for (Duration left = Duration.ofSeconds(seconds); left.isPositive(); left = left.minus(STEP)) {
      for (String name : alive) {
        beat(name);
      }
      world.advance(STEP);
    }
  }

  private void pod(String name, String node, String tolerations) {
    world.create(
        PODS,
        """
        metadata: {name: %s}
        spec: {nodeName: %s, containers: [], tolerations: %s}
        """
            .formatted(name, node, tolerations));
    world.runs(name, true);
    world.settle();
  }

  private JsonNode condition(String node) {
    return StatusConditions.find(world.get(NODES, node).path("status"), "Ready");
  }

  private String ready(String node) {
    return Json.textOr(condition(node), "", "status");
  }

  private Set<String> taints(String node) {
    return Node.of(V1Node.of(world.get(NODES, node))).taints().stream()
        .map(taint -> taint.key() + ":" + taint.effect())
        .collect(Collectors.toSet());
  }

  private long emptied(String... names) {
    return Stream.of(names).filter(name -> taints(name).contains(LEAVE)).count();
  }

  @Test
  void nl1ASilentNodeLosesItsPods() {
    node("n1");
    node("n2");
    pod("p", "n1", FIVE_MINUTES);
    pass(40, "n2");
    assertThat(ready("n1")).isEqualTo("True");
    assertThat(world.pod("p").ready()).isTrue();
    pass(20, "n2");
    assertThat(ready("n1")).isEqualTo("Unknown");
    assertThat(ready("n2")).isEqualTo("True");
    assertThat(world.pod("p").ready()).as("it leaves its Services").isFalse();
    pass(10, "n2");
    assertThat(taints("n1")).containsExactlyInAnyOrder(STAY_AWAY, LEAVE);
    assertThat(taints("n2")).isEmpty();
    pass(280, "n2");
    assertThat(world.pod("p").terminating()).isFalse();
    pass(30, "n2");
    assertThat(world.pod("p").terminating()).isTrue();
    JsonNode status = world.get(PODS, "p").path("status");
    assertThat(Json.text(StatusConditions.find(status, "DisruptionTarget"), "reason"))
        .isEqualTo("DeletionByTaintManager");
  }

  @Test
  void aPodThatTakesTheNameOfAnotherHasItsOwnTime() {
    node("n1");
    node("n2");
    pod("p", "n1", FIVE_MINUTES);
    pass(270, "n2");
    world.delete(PODS, "p", DeleteOptions.DEFAULT.within(0));
    pod("p", "n1", FIVE_MINUTES);
    pass(270, "n2");
    assertThat(world.pod("p").terminating()).isFalse();
    pass(60, "n2");
    assertThat(world.pod("p").terminating()).isTrue();
  }

  @Test
  void aNodeThatComesBackInTimeKeepsItsPods() {
    node("n1");
    node("n2");
    pod("p", "n1", FIVE_MINUTES);
    pass(100, "n2");
    assertThat(taints("n1")).contains(LEAVE);
    beat("n1");
    world.patchStatus(
        NODES,
        "n1",
        Yaml.parse(
            "{conditions: [{type: Ready, status: \"True\", reason: KubeletReady,"
                + " lastHeartbeatTime: \"2026-01-01T00:01:40Z\"}]}"));
    world.settle();
    assertThat(taints("n1")).isEmpty();
    pass(400, "n1", "n2");
    assertThat(world.pod("p").terminating()).isFalse();
    assertThat(ready("n1")).isEqualTo("True");
  }

  @Test
  void nl2AFreshLeaseIsEnough() {
    node("n1");
    node("n2");
    pass(400, "n1", "n2");
    assertThat(ready("n1")).isEqualTo("True");
    assertThat(taints("n1")).isEmpty();
  }

  @Test
  void nl3WhenAllAreSilentNobodyIsDrivenAway() {
    node("n1");
    node("n2");
    pod("p", "n1", "[]");
    pass(120);
    assertThat(ready("n1")).isEqualTo("Unknown");
    assertThat(ready("n2")).isEqualTo("Unknown");
    assertThat(taints("n1")).containsExactly(STAY_AWAY);
    assertThat(world.pod("p").terminating()).isFalse();
  }

  @Test
  void nl3WhatWasTaintedIsFreedWhenAllAreDown() {
    node("n1");
    node("n2");
    pass(70, "n2");
    assertThat(taints("n1")).contains(LEAVE);
    pass(70);
    assertThat(taints("n1")).containsExactly(STAY_AWAY);
  }

  private record Rate(String name, int nodes, int inTrouble, double expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Rate> rates() {
    return Stream.of(
        new Rate("NL-4: 60 nodes, 34 down", 60, 34, 0.01),
        new Rate("NL-4: 40 nodes, 23 down", 40, 23, 0),
        new Rate("one of three", 3, 1, 0.1),
        new Rate("two of three are too few to count as many", 3, 2, 0.1),
        new Rate("a whole zone", 10, 10, 0.1));
  }

  @ParameterizedTest
  @MethodSource("rates")
  void zonesInTroubleAreEmptiedSlowly(Rate row) {
    assertThat(
            ZoneEvictionRates.rate(
                ZoneEvictionRates.state(row.nodes(), row.inTrouble()), row.nodes()))
        .isEqualTo(row.expected());
  }

  @Test
  void oneNodeAfterTheOther() {
    for (int i = 1; i <= 5; i++) {
      node("n" + i);
    }
    pass(60, "n3", "n4", "n5");
    assertThat(emptied("n1", "n2")).isEqualTo(1);
    pass(15, "n3", "n4", "n5");
    assertThat(emptied("n1", "n2")).isEqualTo(2);
  }

  @Test
  void aRefusedNodeDoesNotKeepTheOthersFromTheirs() {
    for (int i = 1; i <= 4; i++) {
      node("n" + i);
    }
    pod("p", "n2", "[]");
    world.refuseWritesTo("nodes", "n1");
    pass(60, "n3", "n4");
    assertThat(ready("n1")).isEqualTo("True");
    assertThat(ready("n2")).isEqualTo("Unknown");
    assertThat(world.pod("p").ready()).isFalse();
    pass(15, "n3", "n4");
    assertThat(taints("n2")).contains(LEAVE);
  }

  @Test
  void aNodeWhoseTaintIsRefusedTakesNoOthersTurn() {
    for (int i = 1; i <= 5; i++) {
      node("n" + i);
    }
    pass(55, "n1", "n3", "n4", "n5");
    assertThat(ready("n2")).isEqualTo("Unknown");
    world.patchStatus(NODES, "n1", Yaml.parse("{conditions: [{type: Ready, status: \"False\"}]}"));
    world.refuseWritesTo("nodes", "n1");
    pass(60, "n1", "n3", "n4", "n5");
    assertThat(taints("n1")).doesNotContain(LEAVE);
    assertThat(taints("n2")).contains(LEAVE);
  }

  @Test
  void aRefusedPodDoesNotKeepTheOthersOfItsNodeReady() {
    node("n1");
    node("n2");
    pod("a", "n1", FIVE_MINUTES);
    pod("b", "n1", FIVE_MINUTES);
    world.refuseWritesTo("pods", "a");
    pass(60, "n2");
    assertThat(world.pod("a").ready()).isTrue();
    assertThat(world.pod("b").ready()).isFalse();
  }

  @Test
  void sc2ACordonIsATaint() {
    node("n1");
    world.patch(NODES, "n1", "spec: {unschedulable: true}");
    world.settle();
    assertThat(taints("n1")).containsExactly(Taint.UNSCHEDULABLE + ":NoSchedule");
    world.patch(NODES, "n1", "spec: {unschedulable: false}");
    world.settle();
    assertThat(taints("n1")).isEmpty();
  }

  @Test
  void aNodeThatNeverSpokeIsLostToo() {
    node("n2");
    world.create(NODES, "{metadata: {name: n1}}");
    pass(70, "n2");
    assertThat(ready("n1")).isEqualTo("Unknown");
    assertThat(Json.text(condition("n1"), "reason")).isEqualTo("NodeStatusNeverUpdated");
  }

  private record Patience(String name, String tolerations, Optional<Duration> expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Patience> patience() {
    return Stream.of(
        new Patience("none at all", "[]", Optional.of(Duration.ZERO)),
        new Patience(
            "another taint", "[{key: other, operator: Exists}]", Optional.of(Duration.ZERO)),
        new Patience("for ever", "[{key: k, value: v}]", Optional.empty()),
        new Patience(
            "the shortest counts",
            "[{key: k, operator: Exists, tolerationSeconds: 60},"
                + " {operator: Exists, tolerationSeconds: 10}]",
            Optional.of(Duration.ofSeconds(10))));
  }

  @ParameterizedTest
  @MethodSource("patience")
  void podsStayAsLongAsTheyPutUpWithIt(Patience row) {
    Taint taint = new Taint("k", "v", Taint.NO_EXECUTE);
    assertThat(
            TaintEvictionController.patience(
                List.of(taint), Toleration.of(Yaml.parse(row.tolerations()))))
        .isEqualTo(row.expected());
  }
}
