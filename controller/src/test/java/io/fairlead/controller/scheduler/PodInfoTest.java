package io.fairlead.controller.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.objects.V1Pod;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PodInfoTest {
  private static PodInfo pod(String yaml) {
    return PodInfo.of(V1Pod.of((ObjectNode) Yaml.parse(yaml)));
  }

  @Test
  void whatTheSchedulerKeeps() {
    PodInfo pod =
        pod(
            """
            metadata: {name: a, namespace: shop, labels: {app: web, version: v2}}
            spec:
              schedulerName: mine
              schedulingGates: [{name: g}]
              priority: 7
              nodeSelector: {disk: ssd}
              overhead: {cpu: 10m}
              affinity:
                nodeAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: []}
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - weight: 5
                    preference: {matchExpressions: [{key: zone, operator: Exists}]}
                podAffinity:
                  requiredDuringSchedulingIgnoredDuringExecution:
                  - {topologyKey: host, labelSelector: {matchLabels: {app: db}}}
                podAntiAffinity:
                  preferredDuringSchedulingIgnoredDuringExecution:
                  - weight: 9
                    podAffinityTerm: {topologyKey: zone, namespaceSelector: {}}
              topologySpreadConstraints:
              - topologyKey: zone
                maxSkew: 2
                whenUnsatisfiable: ScheduleAnyway
                labelSelector: {}
                matchLabelKeys: [version]
              initContainers:
              - {name: i, image: x, resources: {requests: {cpu: "1"}}}
              - {name: s, restartPolicy: Always, resources: {requests: {memory: 1Ki}}}
              containers:
              - name: c
                image: web:1
                ports: [{hostPort: 80, containerPort: 8080}, {containerPort: 9}]
                resources: {requests: {cpu: 500m}}
            status:
              conditions: [{type: PodScheduled, status: "False", message: no place}]
            """);
    assertThat(pod.schedulerName()).isEqualTo("mine");
    assertThat(pod.gated()).isTrue();
    assertThat(pod.priority()).isEqualTo(7);
    assertThat(pod.nodes().labels()).isEqualTo(Map.of("disk", "ssd"));
    assertThat(pod.nodes().restricted()).isTrue();
    assertThat(pod.preferredNodes()).hasSize(1);
    assertThat(pod.preferredNodes().getFirst().weight()).isEqualTo(5);
    assertThat(pod.requests()).isEqualTo(Map.of("cpu", 1010L, "memory", 1024L));
    assertThat(pod.hostPorts()).containsExactly(new PodHostPort("0.0.0.0", "TCP", 80));
    assertThat(pod.images()).containsExactly("web:1");
    assertThat(pod.requiredTogether()).hasSize(1);
    assertThat(pod.requiredTogether().getFirst().namespaces()).containsExactly("shop");
    assertThat(pod.preferredApart().getFirst().wish().anywhere()).isTrue();
    assertThat(pod.spread().getFirst().hard()).isFalse();
    assertThat(pod.spread().getFirst().selector().matches(Map.of("version", "v2"))).isTrue();
    assertThat(pod.spread().getFirst().selector().matches(Map.of("version", "v1"))).isFalse();
    assertThat(pod.told()).isEqualTo("no place");
  }

  @Test
  void aPodThatAsksForNothing() {
    PodInfo pod = pod("{metadata: {name: a, namespace: shop}, status: {phase: Running}}");
    assertThat(pod.waits("default-scheduler")).isTrue();
    assertThat(pod.gated()).isFalse();
    assertThat(pod.nodes().restricted()).isFalse();
    assertThat(pod.requests()).isEmpty();
    assertThat(pod.spread()).isEmpty();
    assertThat(pod.requiredTogether()).isEmpty();
    assertThat(pod.told()).isEmpty();
  }
}
