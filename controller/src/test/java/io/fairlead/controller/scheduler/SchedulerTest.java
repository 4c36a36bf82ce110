package io.fairlead.controller.scheduler;

import static io.fairlead.client.ResourceType.NODES;
import static io.fairlead.client.ResourceType.PODS;
import static io.fairlead.client.ResourceType.SERVICES;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.client.DeleteOptions;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.serving.ServicePodInformer;
import io.fairlead.controller.workload.StatusConditions;
import io.fairlead.controller.workload.WorkloadTestCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/// The vectors SC-1 to SC-3, and every reason a node can be refused for.
class SchedulerTest {
  private final WorkloadTestCluster world =
      new WorkloadTestCluster(List.of(wiring -> new Scheduler(wiring, 0)))
          .sees(PodInfo.KIND, PODS)
          .sees(Node.KIND, NODES)
          .sees(ServicePodInformer.SERVICES, SERVICES)
          .start();

  @AfterEach
  void close() {
    world.close();
  }

  private void node(String name, String spec, String labels) {
    world.create(
        NODES,
        """
        metadata: {name: %s, labels: {kubernetes.io/hostname: %s%s}}
        spec: %s
        status:
          allocatable: {cpu: "2", memory: 4Gi, pods: "10"}
          conditions: [{type: Ready, status: "True"}]
        """
            .formatted(name, name, labels.isEmpty() ? "" : ", " + labels, spec));
    world.settle();
  }

  private void nodes(int count) {
    for (int i = 1; i <= count; i++) {
      node("n" + i, "{}", "topology.kubernetes.io/zone: z" + i % 2);
    }
  }

  private String pod(String name, String spec) {
    return pod(name, "", spec);
  }

  private String pod(String name, String metadata, String spec) {
    world.create(
        PODS,
        """
        metadata: {name: %s%s}
        spec:
          containers: [{name: c, image: c}]
        """
            .formatted(name, metadata.isEmpty() ? "" : ", " + metadata));
    world.patch(PODS, name, "spec: " + spec);
    world.settle();
    return place(name);
  }

  private String place(String pod) {
    return Json.textOr(world.get(PODS, pod), "", "spec", "nodeName");
  }

  private String why(String pod) {
    JsonNode condition = StatusConditions.find(world.get(PODS, pod).path("status"), "PodScheduled");
    assertThat(Json.textOr(condition, "", "status")).isEqualTo("False");
    assertThat(Json.textOr(condition, "", "reason")).isEqualTo("Unschedulable");
    return Json.textOr(condition, "", "message");
  }

  private static String asks(String cpu) {
    return "{containers: [{name: c, image: c, resources: {requests: {cpu: \"" + cpu + "\"}}}]}";
  }

  @Test
  void sc1MoreThanAnyNodeHas() {
    nodes(3);
    assertThat(pod("big", asks("3"))).isEmpty();
    assertThat(why("big")).isEqualTo("0/3 nodes are available: 3 Insufficient cpu.");
    world.until(() -> !world.messages("FailedScheduling").isEmpty());
    assertThat(world.messages("FailedScheduling"))
        .containsExactly("0/3 nodes are available: 3 Insufficient cpu.");
  }

  @Test
  void sc2NothingNewOnACordonedNode() {
    node("n1", "{unschedulable: true}", "");
    assertThat(pod("p", "{}")).isEmpty();
    assertThat(why("p")).isEqualTo("0/1 nodes are available: 1 node(s) were unschedulable.");
    world.patch(NODES, "n1", "spec: {unschedulable: false}");
    world.settle();
    world.advance(Duration.ofSeconds(2));
    assertThat(place("p")).isEqualTo("n1");
  }

  @Test
  void sc3OnePodOfASetOnEveryNode() {
    nodes(3);
    String owner =
        "labels: {app: web}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web,"
            + " uid: u1, controller: true}]";
    assertThat(Stream.of("a", "b", "c").map(name -> pod(name, owner, "{}")))
        .containsExactlyInAnyOrder("n1", "n2", "n3");
    world.until(() -> world.messages("Scheduled").size() == 3);
    assertThat(world.messages("Scheduled"))
        .contains("Successfully assigned default/a to " + place("a"));
  }

  @Test
  void podsOfAServiceAreSpreadToo() {
    nodes(2);
    world.create(SERVICES, "{metadata: {name: s}, spec: {selector: {app: s}}}");
    world.settle();
    assertThat(Stream.of("a", "b").map(name -> pod(name, "labels: {app: s}", "{}")))
        .containsExactlyInAnyOrder("n1", "n2");
  }

  private record Case(String name, String node, String spec, String expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Case> refusals() {
    String affinity =
        "{affinity: {%s: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: %s}}}]}}}";
    return Stream.of(
        new Case(
            "too little memory",
            "{}",
            "{containers: [{name: c, resources: {requests: {memory: 5Gi}}}]}",
            "Insufficient memory"),
        new Case(
            "init containers count",
            "{}",
            "{initContainers: [{name: i, resources: {requests: {cpu: \"3\"}}}]}",
            "Insufficient cpu"),
        new Case(
            "taint",
            "{taints: [{key: k, value: v, effect: NoSchedule}]}",
            "{}",
            "node(s) had untolerated taint {k: v}"),
        new Case(
            "other taint tolerated",
            "{taints: [{key: k, value: v, effect: NoExecute}]}",
            "{tolerations: [{key: other, operator: Exists}]}",
            "node(s) had untolerated taint {k: v}"),
        new Case(
            "node selector",
            "{}",
            "{nodeSelector: {disk: ssd}}",
            "node(s) didn't match Pod's node affinity/selector"),
        new Case(
            "node affinity",
            "{}",
            "{affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                + " {nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n9]}]}]}}}}",
            "node(s) didn't match Pod's node affinity/selector"),
        new Case(
            "host port",
            "{}",
            "{containers: [{name: c, ports: [{hostPort: 80}]}]}",
            "node(s) didn't have free ports for the requested pod ports"),
        new Case(
            "pod affinity",
            "{}",
            affinity.formatted("podAffinity", "nobody"),
            "node(s) didn't match pod affinity rules"),
        new Case(
            "pod anti-affinity",
            "{}",
            affinity.formatted("podAntiAffinity", "first"),
            "node(s) didn't match pod anti-affinity rules"),
        new Case(
            "spread",
            "{}",
            "{topologySpreadConstraints: [{topologyKey: rack, maxSkew: 1, whenUnsatisfiable: DoNotSchedule,"
                + " labelSelector: {matchLabels: {app: first}}}]}",
            "node(s) didn't match pod topology spread constraints (missing required label)"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void everyReasonIsNamed(Case row) {
    node("n1", "{}", "");
    assertThat(
            pod(
                "first",
                "labels: {app: first}",
                "{containers: [{name: c, ports: [{hostPort: 80}]}]}"))
        .isEqualTo("n1");
    if (!row.node().equals("{}")) {
      world.patch(NODES, "n1", "spec: " + row.node());
    }
    assertThat(pod("p", row.spec())).isEmpty();
    assertThat(why("p")).isEqualTo("0/1 nodes are available: 1 " + row.expected() + ".");
  }

  @Test
  void withoutNodesItSaysSo() {
    assertThat(pod("p", "{}")).isEmpty();
    assertThat(why("p")).isEqualTo("no nodes available to schedule pods");
    nodes(1);
    world.advance(Duration.ofSeconds(2));
    assertThat(place("p")).isEqualTo("n1");
  }

  @Test
  void aPodThatIsAwayFromOthersKeepsThemAway() {
    nodes(1);
    String apart =
        "{affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: b}}}]}}}";
    assertThat(pod("a", apart)).isEqualTo("n1");
    assertThat(pod("b", "labels: {app: b}", "{}")).isEmpty();
    assertThat(why("b"))
        .isEqualTo(
            "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules.");
  }

  @Test
  void theFirstOfPodsThatWantToBeTogetherMayBegin() {
    nodes(2);
    String together =
        "{affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
            + " [{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: t}}}]}}}";
    String first = pod("a", "labels: {app: t}", together);
    assertThat(first).isNotEmpty();
    assertThat(pod("b", "labels: {app: t}", together)).isEqualTo(first);
  }

  @Test
  void hardSpreadHoldsBackWhatWouldBeUneven() {
    nodes(2);
    String spread =
        "{topologySpreadConstraints: [{topologyKey: topology.kubernetes.io/zone, maxSkew: 1,"
            + " whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: s}}}]}";
    String first = pod("a", "labels: {app: s}", spread);
    String second = pod("b", "labels: {app: s}", spread);
    assertThat(List.of(first, second)).containsExactlyInAnyOrder("n1", "n2");
    world.patch(NODES, second, "spec: {unschedulable: true}");
    assertThat(pod("c", "labels: {app: s}", spread)).isEqualTo(first);
    assertThat(pod("d", "labels: {app: s}", spread)).isEmpty();
    assertThat(why("d"))
        .isEqualTo(
            "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1"
                + " node(s) were unschedulable.");
  }

  @Test
  void preferencesDecideBetweenNodesThatAreEqual() {
    nodes(3);
    assertThat(
            pod(
                "p",
                "{affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                    + " [{weight: 10, preference: {matchExpressions: [{key: kubernetes.io/hostname,"
                    + " operator: In, values: [n2]}]}}]}}}"))
        .isEqualTo("n2");
  }

  @Test
  void roomThatIsMadeIsUsed() {
    nodes(1);
    assertThat(pod("a", asks("2"))).isEqualTo("n1");
    assertThat(pod("b", asks("2"))).isEmpty();
    world.delete(PODS, "a", DeleteOptions.DEFAULT);
    world.settle();
    world.advance(Duration.ofSeconds(2));
    assertThat(place("b")).as("a is only on its way out").isEmpty();
    world.delete(PODS, "a", DeleteOptions.DEFAULT.within(0));
    world.settle();
    world.advance(Duration.ofSeconds(11));
    assertThat(place("b")).isEqualTo("n1");
  }

  @Test
  void theMoreImportantComesFirst() {
    assertThat(
            pod(
                "low",
                "{priority: 0, containers: [{name: c, resources: {requests: {cpu: \"2\"}}}]}"))
        .isEmpty();
    assertThat(
            pod(
                "high",
                "{priority: 9, containers: [{name: c, resources: {requests: {cpu: \"2\"}}}]}"))
        .isEmpty();
    nodes(1);
    world.advance(Duration.ofSeconds(11));
    assertThat(place("high")).isEqualTo("n1");
    assertThat(place("low")).isEmpty();
  }

  @Test
  void podsOfOthersAndThoseHeldBackAreLeftAlone() {
    nodes(1);
    assertThat(pod("other", "{schedulerName: mine}")).isEmpty();
    assertThat(pod("gated", "{schedulingGates: [{name: wait}]}")).isEmpty();
    world.patch(PODS, "gated", "spec: {schedulingGates: []}");
    world.settle();
    assertThat(place("gated")).isEqualTo("n1");
    assertThat(place("other")).isEmpty();
  }
}
