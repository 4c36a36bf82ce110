package io.fairlead.controller.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress.Family;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.controller.placement.Node;
import io.fairlead.controller.placement.Taint;
import io.fairlead.controller.placement.Toleration;
import io.fairlead.controller.serving.NotReadyCause.Kind;
import io.fairlead.controller.workload.PodFailure;
import io.fairlead.controller.workload.WorkloadPod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What controllers keep of the pods and nodes that they read.
class PodViewsTest {
  private static final String POD =
      """
      metadata:
        name: web-1
        namespace: shop
        uid: u1
        resourceVersion: "7"
        creationTimestamp: "2026-01-01T00:00:00Z"
        labels: {app: web}
        annotations:
          controller.kubernetes.io/pod-deletion-cost: "5"
          batch.kubernetes.io/job-completion-index: "2"
      spec:
        nodeName: node1
        hostname: h
        subdomain: s
        affinity:
          nodeAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
              nodeSelectorTerms:
              - matchFields: [{key: metadata.name, operator: In, values: [node2]}]
        tolerations:
        - {key: k, operator: Exists, effect: NoExecute, tolerationSeconds: -5}
        initContainers:
        - {name: init, ports: [{name: setup, containerPort: 1}]}
        - {name: side, restartPolicy: Always, ports: [{name: proxy, containerPort: 2}]}
        containers:
        - {name: web, ports: [{name: http, containerPort: 80}, {containerPort: 81}]}
      status:
        phase: Failed
        reason: Evicted
        podIPs: [{ip: 10.0.0.1}, {ip: "fd00:0::1"}, {ip: nonsense}]
        conditions:
        - {type: Ready, status: "False", reason: Why, lastTransitionTime: "2026-01-01T00:00:05Z"}
        - {type: DisruptionTarget, status: "True"}
        initContainerStatuses: [{name: init, ready: true, state: {terminated: {exitCode: 0}}}]
        containerStatuses:
        - name: web
          ready: true
          restartCount: 2
          state: {terminated: {exitCode: 3, finishedAt: "2026-01-01T00:00:09Z"}}
        - {name: b, ready: true, restartCount: 1, state: {terminated: {finishedAt: nonsense}}}
      """;

  private static ObjectNode tree(String yaml) {
    return (ObjectNode) Yaml.parse(yaml);
  }

  @Test
  void whatOwnersOfPodsKeep() {
    V1Pod pod = V1Pod.of(tree(POD));
    assertThat(WorkloadPod.of(pod))
        .isEqualTo(
            new WorkloadPod(
                pod.metadata(),
                Instant.parse("2026-01-01T00:00:00Z"),
                "Failed",
                "Evicted",
                "node1",
                "node2",
                false,
                Instant.parse("2026-01-01T00:00:05Z"),
                Optional.of(Instant.parse("2026-01-01T00:00:09Z")),
                3,
                5,
                2,
                0,
                0,
                new PodFailure(
                    List.of(new PodFailure.Exit("web", 3), new PodFailure.Exit("init", 0)),
                    List.of(
                        new PodFailure.Condition("Ready", "False"),
                        new PodFailure.Condition("DisruptionTarget", "True"))),
                List.of(new Toleration("k", true, "", "NoExecute", OptionalLong.of(0)))));
  }

  @Test
  void whatEndpointControllersKeep() {
    V1Pod pod = V1Pod.of(tree(POD));
    assertThat(EndpointPod.of(pod))
        .isEqualTo(
            new EndpointPod(
                pod.metadata(),
                "Failed",
                "node1",
                "h",
                "s",
                List.of(
                    new PodAddress(Family.IPV4, "10.0.0.1"),
                    new PodAddress(Family.IPV6, "fd00::1")),
                List.of(new ContainerPort("http", "TCP", 80), new ContainerPort("proxy", "TCP", 2)),
                false,
                Optional.of(Instant.parse("2026-01-01T00:00:05Z")),
                List.of(new NotReadyCause(Kind.CONDITION, "Ready", "Why"))));
  }

  @Test
  void ofAnEmptyPodNothingIsKept() {
    V1Pod pod = V1Pod.of(tree("{metadata: {name: a}}"));
    WorkloadPod owned = WorkloadPod.of(pod);
    assertThat(owned.completionIndex()).isEqualTo(-1);
    assertThat(owned.created()).isEqualTo(Instant.EPOCH);
    assertThat(owned.readySince()).isEqualTo(Instant.EPOCH);
    assertThat(owned.ending()).isEqualTo(PodFailure.NONE);
    assertThat(EndpointPod.of(pod).holdups())
        .containsExactly(new NotReadyCause(Kind.NO_STATUS, "", ""));
  }

  record Cause(String name, String pod, NotReadyCause expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Cause container(
      String name, String state, String probes, Kind kind, String detail) {
    String pod =
        "{spec: {containers: [{name: c, %s}]}, status: {containerStatuses: [{name: c, %s}]}}";
    return new Cause(name, pod.formatted(probes, state), new NotReadyCause(kind, "c", detail));
  }

  static Stream<Cause> causes() {
    String running = "state: {running: {}}";
    String started = running + ", started: true";
    return Stream.of(
        container(
            "waits",
            "state: {waiting: {reason: CrashLoopBackOff, message: back-off}}",
            "",
            Kind.CONTAINER_WAITING,
            "CrashLoopBackOff: back-off"),
        container(
            "ended",
            "state: {terminated: {reason: Error}}",
            "",
            Kind.CONTAINER_TERMINATED,
            "Error"),
        container(
            "starts",
            running,
            "startupProbe: {tcpSocket: {port: db}}",
            Kind.STARTUP_PROBE,
            "TCP :db"),
        container(
            "started, HTTP probe without a path",
            started,
            "startupProbe: {tcpSocket: {port: db}}, readinessProbe: {httpGet: {port: 80}}",
            Kind.READINESS_PROBE,
            "GET :80/"),
        container(
            "HTTP probe",
            started,
            "readinessProbe: {httpGet: {port: web, path: /healthz}}",
            Kind.READINESS_PROBE,
            "GET :web/healthz"),
        container(
            "gRPC probe",
            started,
            "readinessProbe: {grpc: {port: 9090}}",
            Kind.READINESS_PROBE,
            "gRPC :9090"),
        container(
            "command",
            started,
            "readinessProbe: {exec: {command: [pg_isready, -q]}}",
            Kind.READINESS_PROBE,
            "exec pg_isready"),
        container("no probe", running, "", Kind.READINESS_PROBE, ""),
        new Cause(
            "a gate whose condition is missing",
            "{spec: {readinessGates: [{conditionType: g}]}}",
            new NotReadyCause(Kind.READINESS_GATE, "g", "")),
        new Cause(
            "a gate whose condition is False",
            "{spec: {readinessGates: [{conditionType: g}]}, status: {conditions: [{type: g,"
                + " status: 'False', reason: R, message: M}]}}",
            new NotReadyCause(Kind.READINESS_GATE, "g", "R: M")));
  }

  @ParameterizedTest
  @MethodSource("causes")
  void whyAPodIsNotReady(Cause row) {
    assertThat(EndpointPod.of(V1Pod.of(tree(row.pod))).holdups()).containsExactly(row.expected);
  }

  private static final String NODE =
      """
      metadata:
        name: n1
        uid: u
        resourceVersion: "3"
        labels: {topology.kubernetes.io/zone: z1, node-role.kubernetes.io/master: ""}
      spec:
        unschedulable: true
        podCIDRs: [10.244.1.0/24]
        taints: [{key: k, effect: NoSchedule}]
      status:
        allocatable: {cpu: 1500m, memory: 1Ki, example.com/gpu: "2", broken: x}
        conditions:
        - type: Ready
          status: "True"
          reason: KubeletReady
          lastHeartbeatTime: "2026-01-01T00:00:07Z"
          lastTransitionTime: "2026-01-01T00:00:05Z"
        - {type: DiskPressure, status: "False"}
        images: [{names: [a, b], sizeBytes: 7}]
      """;

  @Test
  void whatIsKeptOfANode() {
    V1Node node = V1Node.of(tree(NODE));
    assertThat(Node.of(node))
        .isEqualTo(
            new Node(
                node.metadata(),
                true,
                List.of(new Taint("k", "", "NoSchedule")),
                Map.of("cpu", 1500L, "memory", 1024L, "example.com/gpu", 2L),
                Map.of("Ready", "True", "DiskPressure", "False"),
                "2026-01-01T00:00:07Z",
                Map.of("a", 7L, "b", 7L),
                List.of("10.244.1.0/24")));
    EndpointNode endpoints = EndpointNode.of(node);
    assertThat(endpoints.zone()).isEqualTo("z1");
    assertThat(endpoints.ready()).isTrue();
    assertThat(endpoints.readyChanged()).contains(Instant.parse("2026-01-01T00:00:05Z"));
    assertThat(endpoints.controlPlane()).isTrue();
    assertThat(endpoints.allocatableMilliCpu()).isEqualTo(1500);
    assertThat(endpoints.metadata().labels()).isEmpty();
  }

  @Test
  void aHeartbeatThatAnotherComponentWroteIsNone() {
    String lost = NODE.replace("KubeletReady", "NodeStatusUnknown");
    assertThat(Node.of(V1Node.of(tree(lost))).heartbeat()).isEmpty();
  }
}
