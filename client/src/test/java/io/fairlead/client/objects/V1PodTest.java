package io.fairlead.client.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

class V1PodTest {
  private static final String POD =
      """
      metadata:
        name: web-1
        namespace: shop
        uid: u1
        resourceVersion: "7"
        creationTimestamp: "2026-01-01T00:00:00Z"
        deletionTimestamp: "2026-01-02T00:00:00Z"
        labels: {app: web}
        annotations: {example.com/a: "1"}
        ownerReferences:
        - {apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: r1, controller: true}
      spec:
        nodeName: node1
        hostname: h
        subdomain: s
        hostNetwork: true
        schedulerName: mine
        schedulingGates: [{name: a}, {name: b}]
        priority: 5
        preemptionPolicy: Never
        nodeSelector: {disk: ssd}
        affinity: {nodeAffinity: {x: 1}}
        topologySpreadConstraints: [{maxSkew: 2}]
        overhead: {cpu: 10m, memory: 5}
        readinessGates: [{conditionType: example.com/gate}]
        tolerations:
        - {key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 300}
        - {value: v}
        volumes: [{name: v, projected: {sources: [{a: b}]}}]
        initContainers:
        - {name: side, image: i1, restartPolicy: Always}
        containers:
        - name: web
          image: i2
          ports:
          - {name: http, containerPort: 80, hostPort: 8080, hostIP: 127.0.0.1}
          - {containerPort: 53, protocol: UDP}
          resources: {limits: {cpu: 9}, requests: {cpu: 100m, memory: 1Gi}}
          startupProbe: {tcpSocket: {port: http}}
          readinessProbe: {httpGet: {port: 80, path: /healthz}, periodSeconds: 3}
        - {name: db, readinessProbe: {exec: {command: [pg_isready, -q]}}}
      status:
        phase: Failed
        reason: Evicted
        nominatedNodeName: node2
        podIP: 10.0.0.1
        podIPs: [{ip: 10.0.0.1}, {ip: "fd00::1"}]
        conditions: [{type: Ready, status: "False", lastTransitionTime: "2026-01-01T00:00:05Z"}]
        initContainerStatuses: [{name: side, state: {running: {startedAt: x}}, started: true}]
        containerStatuses:
        - name: web
          ready: true
          restartCount: 2
          state: {terminated: {exitCode: 3, reason: Error, finishedAt: "2026-01-01T00:00:09Z"}}
          lastState: {terminated: {exitCode: 99}}
        - {name: db, state: {waiting: {reason: CrashLoopBackOff, message: back-off}}}
      """;

  private static ObjectNode tree(String yaml) {
    return (ObjectNode) Yaml.parse(yaml);
  }

  private static V1Pod pod(String yaml, FieldMask mask) {
    return RawObject.of(tree(yaml)).read(in -> V1Pod.read(in, mask));
  }

  @Test
  void aWholePod() {
    V1Pod pod = pod(POD, FieldMask.ALL);
    assertThat(pod.metadata()).isEqualTo(ObjectMeta.of(tree(POD)));
    assertThat(pod.annotations()).containsExactly(Map.entry("example.com/a", "1"));
    assertThat(pod.creationTimestamp()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(pod.finished()).isTrue();
    assertThat(pod.spec())
        .isEqualTo(
            new V1Pod.Spec(
                "node1",
                "h",
                "s",
                true,
                List.of(
                    new V1Pod.Container(
                        "web",
                        "i2",
                        "",
                        List.of(
                            new V1Pod.Port("http", "TCP", 80, 8080, "127.0.0.1"),
                            new V1Pod.Port("", "UDP", 53, 0, "")),
                        Map.of("cpu", "100m", "memory", "1Gi"),
                        new V1Pod.Probe("tcpSocket", "http", "", ""),
                        new V1Pod.Probe("httpGet", "80", "/healthz", "")),
                    new V1Pod.Container(
                        "db",
                        "",
                        "",
                        List.of(),
                        Map.of(),
                        null,
                        new V1Pod.Probe("exec", "", "", "pg_isready"))),
                List.of(
                    new V1Pod.Container("side", "i1", "Always", List.of(), Map.of(), null, null)),
                List.of("example.com/gate"),
                List.of(
                    new V1Pod.Toleration("k", "Exists", "", "NoExecute", 300L),
                    new V1Pod.Toleration("", "Equal", "v", "", null)),
                new V1Pod.Scheduling(
                    "mine",
                    true,
                    5,
                    "Never",
                    Map.of("disk", "ssd"),
                    Yaml.parse("{nodeAffinity: {x: 1}}"),
                    Yaml.parse("[{maxSkew: 2}]"),
                    Map.of("cpu", "10m", "memory", "5"))));
    assertThat(pod.status())
        .isEqualTo(
            new V1Pod.Status(
                "Failed",
                "Evicted",
                "node2",
                "10.0.0.1",
                List.of("10.0.0.1", "fd00::1"),
                List.of(new V1Condition("Ready", "False", "", "", "2026-01-01T00:00:05Z", "")),
                List.of(
                    new V1Pod.ContainerStatus(
                        "web",
                        true,
                        false,
                        2,
                        "terminated",
                        "Error",
                        "",
                        3,
                        "2026-01-01T00:00:09Z"),
                    new V1Pod.ContainerStatus(
                        "db",
                        false,
                        false,
                        0,
                        "waiting",
                        "CrashLoopBackOff",
                        "back-off",
                        null,
                        "")),
                List.of(
                    new V1Pod.ContainerStatus(
                        "side", false, true, 0, "running", "", "", null, ""))));
    assertThat(pod.spec().initContainers().getFirst().isSidecar()).isTrue();
  }

  @Test
  void whatTheMaskLeavesOutStaysEmpty() {
    V1Pod pod = pod(POD, FieldMask.of());
    assertThat(pod.metadata()).isEqualTo(ObjectMeta.of(new ObjectKey("shop", "web-1"), "7"));
    assertThat(pod.spec())
        .isEqualTo(
            new V1Pod.Spec(
                "node1",
                "h",
                "s",
                true,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new V1Pod.Scheduling(
                    "",
                    false,
                    0,
                    "",
                    Map.of(),
                    MissingNode.getInstance(),
                    MissingNode.getInstance(),
                    Map.of())));
    assertThat(pod.status())
        .isEqualTo(
            new V1Pod.Status(
                "Failed",
                "Evicted",
                "node2",
                "10.0.0.1",
                List.of("10.0.0.1", "fd00::1"),
                List.of(),
                List.of(),
                List.of()));
  }

  @Test
  void aPodOfAnotherShapeIsReadAsEmpty() {
    V1Pod pod =
        pod(
            """
            metadata: []
            spec: {containers: {a: b}, tolerations: x, schedulingGates: [], nodeName: [a]}
            status: {podIPs: [{}, {ip: 3}], containerStatuses: [{state: {running: null}}]}
            """,
            FieldMask.ALL);
    assertThat(pod.spec().containers()).isEmpty();
    assertThat(pod.spec().tolerations()).isEmpty();
    assertThat(pod.spec().scheduling().gated()).isFalse();
    assertThat(pod.spec().nodeName()).isEmpty();
    assertThat(pod.status().podIps()).containsExactly("", "");
    assertThat(pod.status().containers().getFirst().state()).isEmpty();
  }

  @Test
  void theOneAddressCountsWhereThereIsNoList() {
    assertThat(pod("{status: {podIP: 10.0.0.9}}", FieldMask.of()).status().addresses())
        .containsExactly("10.0.0.9");
    assertThat(pod(POD, FieldMask.of()).status().addresses())
        .containsExactly("10.0.0.1", "fd00::1");
  }

  @Test
  void bytesAndTreesReadTheSame() {
    byte[] bytes = tree(POD).toString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    try (JsonParser in = Json.mapper().createParser(bytes)) {
      in.nextToken();
      assertThat(V1Pod.read(in, FieldMask.ALL)).isEqualTo(pod(POD, FieldMask.ALL));
    }
  }

  @Test
  void componentsThatAreGivenTheSameObjectShareWhatIsRead() {
    RawObject object = RawObject.of(tree(POD));
    assertThat(V1Pod.of(object)).isSameAs(V1Pod.of(object));
    assertThat(V1Pod.of(object.copy())).isNotSameAs(V1Pod.of(object)).isEqualTo(V1Pod.of(object));
  }

  @Test
  void aWholeNode() {
    ObjectNode tree =
        tree(
            """
            metadata: {name: n1, resourceVersion: "3", labels: {a: b}, annotations: {x: z}}
            spec:
              unschedulable: true
              podCIDR: 10.244.1.0/24
              podCIDRs: [10.244.1.0/24, "fd00::/64"]
              taints: [{key: k, value: v, effect: NoSchedule}, {key: k2}]
            status:
              allocatable: {cpu: 2, memory: 1Gi}
              conditions: [{type: Ready, status: "True", lastHeartbeatTime: t}]
              addresses: [{type: InternalIP, address: 10.0.0.1}, {type: Hostname, address: h}]
              images: [{names: [a, b], sizeBytes: 5000000000}, {sizeBytes: 1}]
            """);
    V1Node node = V1Node.of(tree);
    assertThat(node)
        .isEqualTo(
            new V1Node(
                ObjectMeta.of(tree),
                Map.of("x", "z"),
                true,
                List.of(new V1Node.Taint("k", "v", "NoSchedule"), new V1Node.Taint("k2", "", "")),
                "10.244.1.0/24",
                List.of("10.244.1.0/24", "fd00::/64"),
                Map.of("cpu", "2", "memory", "1Gi"),
                List.of(new V1Condition("Ready", "True", "", "", "", "t")),
                List.of(
                    new V1Node.Address("InternalIP", "10.0.0.1"),
                    new V1Node.Address("Hostname", "h")),
                List.of(
                    new V1Node.Image(List.of("a", "b"), 5_000_000_000L),
                    new V1Node.Image(List.of(), 1))));
    assertThat(node.addresses("InternalIP")).containsExactly("10.0.0.1");
    V1Node lean = RawObject.of(tree).read(in -> V1Node.read(in, FieldMask.of()));
    assertThat(lean.images()).isEmpty();
    assertThat(lean.allocatable()).isEmpty();
    assertThat(lean.conditions()).isEmpty();
    assertThat(lean.annotations()).isEmpty();
    assertThat(lean.addresses()).hasSize(2);
  }

  @Test
  void aNamespace() {
    RawObject object = RawObject.of(tree("{metadata: {name: shop, labels: {a: b}}, spec: {x: 1}}"));
    assertThat(object.read(in -> V1Namespace.read(in, FieldMask.of().allLabels())).metadata())
        .satisfies(metadata -> assertThat(metadata.name()).isEqualTo("shop"))
        .satisfies(metadata -> assertThat(metadata.labels()).containsEntry("a", "b"));
  }
}
