package io.fairlead.agent.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.ProbeOutcome;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerUsage;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.testing.Behaviour;
import io.fairlead.agent.testing.FakeRuntime;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Numbers about a node with one pod.
class RuntimeStatsProviderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Pod pod =
      Pod.of(
          (ObjectNode)
              Yaml.parse(
                  "metadata: {name: p, namespace: ns, uid: u1}\n"
                      + "spec: {containers: [{name: c, image: i}]}\n"));
  private final FakeRuntime runtime = new FakeRuntime(() -> NOW, (_, _) -> Behaviour.SERVES);
  private final ProbeCounter probes = new ProbeCounter();
  private final RuntimeStatsProvider figures =
      new RuntimeStatsProvider(
          "node-a",
          runtime,
          () -> List.of(pod),
          probes,
          Json.object().put("maxPods", 110),
          () -> NOW);

  private void run() {
    String sandbox =
        runtime
            .runSandbox(
                new SandboxConfig(
                    pod.key(), "u1", 0, false, "p", "", List.of(), 30, Path.of("/nowhere")))
            .id();
    runtime.start(
        runtime.create(
            sandbox,
            new ContainerConfig(
                "c",
                0,
                "i",
                "h",
                List.of(),
                List.of(),
                List.of(),
                "",
                List.of(),
                Path.of("/nowhere"),
                Path.of("/nowhere"))));
  }

  @Test
  void theAgentTellsWhatRuns() {
    run();
    assertThat(figures.metrics())
        .contains(
            "kubelet_node_name{node=\"node-a\"} 1",
            "kubelet_running_pods 1",
            "kubelet_desired_pods{static=\"\"} 1",
            "kubelet_desired_pods{static=\"true\"} 0",
            "kubelet_running_containers{container_state=\"running\"} 1");
  }

  @Test
  void resourcesNameTheNodeAndItsContainers() {
    run();
    assertThat(figures.resources())
        .contains(
            "node_cpu_usage_seconds_total ",
            "node_memory_working_set_bytes ",
            "container_start_time_seconds{container=\"c\",namespace=\"ns\",pod=\"p\"}",
            "resource_scrape_error 0");
  }

  @Test
  void whatContainersUseIsAddedUp() {
    run();
    runtime.eachUses(new ContainerUsage(Duration.ofMillis(1500), 2048));
    assertThat(figures.resources())
        .contains(
            "container_cpu_usage_seconds_total{container=\"c\",namespace=\"ns\",pod=\"p\"} 1.5",
            "container_memory_working_set_bytes{container=\"c\",namespace=\"ns\",pod=\"p\"} 2048",
            "pod_cpu_usage_seconds_total{namespace=\"ns\",pod=\"p\"} 1.5",
            "pod_memory_working_set_bytes{namespace=\"ns\",pod=\"p\"} 2048");
    JsonNode pod = figures.summary().path("pods").path(0);
    assertThat(pod.path("cpu").path("usageCoreNanoSeconds").asLong(0)).isEqualTo(1_500_000_000L);
    assertThat(pod.path("containers").path(0).path("memory").path("workingSetBytes").asLong(0))
        .isEqualTo(2048);
  }

  @Test
  void anEngineThatIsAwayIsToldAndTheRestToo() {
    run();
    runtime.tellNoUsage();
    assertThat(figures.resources())
        .contains("resource_scrape_error 1", "container_start_time_seconds{");
    assertThat(figures.summary().path("pods")).hasSize(1);
  }

  @Test
  void theSummaryListsPodsThatRun() {
    assertThat(figures.summary().path("pods")).isEmpty();
    run();
    assertThat(Json.textOr(figures.summary(), "", "node", "nodeName")).isEqualTo("node-a");
    assertThat(figures.summary().path("pods").path(0).path("podRef").toString())
        .isEqualTo("{\"name\":\"p\",\"namespace\":\"ns\",\"uid\":\"u1\"}");
    assertThat(figures.configuration().toString())
        .isEqualTo("{\"kubeletconfig\":{\"maxPods\":110}}");
  }

  @Test
  void answersToProbesAreCountedUntilThePodIsGone() {
    ProbeOutcome failure = new ProbeOutcome.Failure("no");
    probes.begin(pod);
    probes.count(pod, pod.containers().getFirst(), Probe.Kind.LIVENESS, failure);
    assertThat(figures.probes())
        .contains(
            "prober_probe_total{container=\"c\",namespace=\"ns\",pod=\"p\",pod_uid=\"u1\","
                + "probe_type=\"Liveness\",result=\"failed\"} 1");
    probes.forget(pod);
    assertThat(figures.probes()).doesNotContain("Liveness");
    probes.count(pod, pod.containers().getFirst(), Probe.Kind.LIVENESS, failure);
    assertThat(figures.probes()).as("an answer that comes late").doesNotContain("Liveness");
  }

  @Test
  void theKernelsFilesAreRead(@TempDir Path proc) throws IOException {
    Files.writeString(proc.resolve("stat"), "cpu  100 0 50 900 50 25 25 0 7 7\ncpu0 1\n");
    Files.writeString(
        proc.resolve("meminfo"), "MemTotal: 1000 kB\nMemFree: 1 kB\nMemAvailable: 400 kB\n");
    assertThat(NodeUsage.look(proc))
        .isEqualTo(new NodeUsage(Duration.ofSeconds(2), 600 * 1024, 1000 * 1024, 400 * 1024));
    assertThat(NodeUsage.look(proc.resolve("none")))
        .isEqualTo(new NodeUsage(Duration.ZERO, 0, 0, 0));
  }
}
