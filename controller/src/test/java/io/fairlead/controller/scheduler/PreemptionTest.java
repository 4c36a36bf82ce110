package io.fairlead.controller.scheduler;

import static io.fairlead.client.ResourceType.NODES;
import static io.fairlead.client.ResourceType.PODS;
import static io.fairlead.client.ResourceType.POD_DISRUPTION_BUDGETS;
import static io.fairlead.client.ResourceType.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.serving.ServicePodInformer;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Who has to leave for a more important pod, and what becomes of both.
class PreemptionTest {
  /// @param nodes for each node its pods: name, priority and processors, `low 1 2`
  /// @param budgets for each pod's name how many of that name may go
  /// @param expected the node and the names of those that leave; empty when nothing helps
  private record Case(
      String name,
      Map<String, List<String>> nodes,
      Map<String, Integer> budgets,
      int asked,
      String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> choices() {
    Map<String, Integer> none = Map.of();
    return Stream.of(
        new Case("nobody is less important", Map.of("n1", List.of("a 9 4")), none, 1, ""),
        new Case("not even an empty node is enough", Map.of("n1", List.of("a 1 4")), none, 5, ""),
        new Case(
            "only as many as needed", Map.of("n1", List.of("a 1 2", "b 1 2")), none, 2, "n1 b"),
        new Case(
            "the more important stay, although that means that two go",
            Map.of("n1", List.of("a 1 1", "b 2 1", "c 3 2")),
            none,
            2,
            "n1 b a"),
        new Case(
            "the node with the less important pod",
            Map.of("n1", List.of("a 5 4"), "n2", List.of("b 2 4"), "n3", List.of("c 3 4")),
            none,
            4,
            "n2 b"),
        new Case(
            "the node with fewer of them",
            Map.of("n1", List.of("a 2 2", "b 2 2"), "n2", List.of("c 2 4")),
            none,
            4,
            "n2 c"),
        new Case(
            "a budget outweighs importance",
            Map.of("n1", List.of("a 1 4"), "n2", List.of("b 5 4")),
            Map.of("a", 0),
            4,
            "n2 b"),
        new Case(
            "a budget keeps its pod on a node",
            Map.of("n1", List.of("a 1 2", "b 2 2")),
            Map.of("a", 0),
            2,
            "n1 b"),
        new Case(
            "a budget with something left keeps nobody",
            Map.of("n1", List.of("a 1 2", "b 2 2")),
            Map.of("a", 1),
            2,
            "n1 a"));
  }

  @ParameterizedTest
  @MethodSource("choices")
  void leastIsLost(Case row) {
    List<NodeInfo> places =
        new TreeMap<>(row.nodes())
            .entrySet().stream().map(one -> place(one.getKey(), one.getValue())).toList();
    List<EvictionAllowance> budgets =
        row.budgets().entrySet().stream().map(one -> budget(one.getKey(), one.getValue())).toList();
    PodInfo wanted = PodInfo.of(V1Pod.of(pod("wanted 9 " + row.asked(), "")));
    String chosen =
        Preemption.choose(wanted, places, budgets)
            .map(
                one ->
                    one.node()
                        + " "
                        + String.join(
                            " ", one.pods().stream().map(pod -> pod.key().name()).toList()))
            .orElse("");
    assertThat(chosen).isEqualTo(row.expected());
  }

  private static NodeInfo place(String name, List<String> pods) {
    ObjectNode node =
        (ObjectNode)
            Yaml.parse(
                "{metadata: {name: %s}, status: {allocatable: {cpu: 4, pods: 9}}}".formatted(name));
    Map<ObjectKey, PodInfo> there = new LinkedHashMap<>();
    for (String one : pods) {
      PodInfo pod = PodInfo.of(V1Pod.of(pod(one, name)));
      there.put(pod.key(), pod);
    }
    return NodeInfo.of(Node.of(V1Node.of(node)), there);
  }

  private static ObjectNode pod(String words, String node) {
    String[] word = words.split(" ", -1);
    return (ObjectNode)
        Yaml.parse(
            """
            metadata: {name: %s, namespace: default, uid: %s, labels: {app: %s}}
            spec:
              nodeName: "%s"
              priority: %s
              containers: [{name: c, image: c, resources: {requests: {cpu: "%s"}}}]
            """
                .formatted(word[0], word[0], word[0], node, word[1], word[2]));
  }

  private static EvictionAllowance budget(String app, int allowed) {
    return EvictionAllowance.of(
        (ObjectNode)
            Yaml.parse(
                """
                metadata: {name: %s, namespace: default}
                spec: {selector: {matchLabels: {app: %s}}}
                status: {disruptionsAllowed: %d}
                """
                    .formatted(app, app, allowed)));
  }

  private static WorkloadTestCluster cluster() {
    WorkloadTestCluster world =
        new WorkloadTestCluster(List.of(wiring -> new Scheduler(wiring, 0)))
            .sees(PodInfo.KIND, PODS)
            .sees(Node.KIND, NODES)
            .sees(ServicePodInformer.SERVICES, SERVICES)
            .sees(EvictionAllowance.KIND, POD_DISRUPTION_BUDGETS)
            .start();
    world.create(
        NODES,
        """
        metadata: {name: n1}
        status:
          allocatable: {cpu: "4", pods: "10"}
          conditions: [{type: Ready, status: "True"}]
        """);
    world.settle();
    return world;
  }

  private static void create(WorkloadTestCluster world, String words) {
    ObjectNode pod = pod(words, "");
    Json.child(pod, "metadata").remove("uid");
    Json.child(pod, "spec").remove("nodeName");
    world.create(PODS, pod.toString());
    world.settle();
  }

  private static String text(WorkloadTestCluster world, String pod, String... path) {
    return Json.textOr(world.get(PODS, pod), "", path);
  }

  @Test
  void theLessImportantLeavesAndItsPlaceIsKeptForThePodThatAsked() {
    try (WorkloadTestCluster world = cluster()) {
      create(world, "low 1 4");
      assertThat(text(world, "low", "spec", "nodeName")).isEqualTo("n1");
      create(world, "high 9 4");
      JsonNode condition =
          StatusConditions.find(world.get(PODS, "low").path("status"), "DisruptionTarget");
      assertThat(Json.textOr(condition, "", "reason")).isEqualTo("PreemptionByScheduler");
      assertThat(text(world, "low", "metadata", "deletionTimestamp")).isNotEmpty();
      assertThat(text(world, "high", "status", "nominatedNodeName")).isEqualTo("n1");
      world.until(() -> !world.messages("Preempted").isEmpty());

      world.advance(Duration.ofSeconds(30));
      world.delete(PODS, "low", DeleteOptions.DEFAULT.within(0));
      create(world, "middle 5 4");
      assertThat(text(world, "middle", "spec", "nodeName")).as("is kept for another").isEmpty();
      world.advance(Duration.ofSeconds(11));
      assertThat(text(world, "high", "spec", "nodeName")).isEqualTo("n1");
      assertThat(text(world, "middle", "status", "nominatedNodeName")).isEmpty();
    }
  }

  @Test
  void aPodWhosePolicyIsNeverWaits() {
    try (WorkloadTestCluster world = cluster()) {
      create(world, "low 1 4");
      ObjectNode polite = pod("polite 9 4", "");
      Json.child(polite, "metadata").remove("uid");
      Json.child(polite, "spec").put("preemptionPolicy", "Never").remove("nodeName");
      world.create(PODS, polite.toString());
      world.settle();
      world.advance(Duration.ofSeconds(11));
      assertThat(text(world, "low", "metadata", "deletionTimestamp")).isEmpty();
      assertThat(text(world, "polite", "status", "nominatedNodeName")).isEmpty();
    }
  }
}
