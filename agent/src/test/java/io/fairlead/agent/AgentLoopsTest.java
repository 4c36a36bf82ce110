package io.fairlead.agent;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.lifecycle.ApiPodReporter;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.LoopFaults;
import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each loop of a running agent fails once with what no loop expects, and goes on.
@Tag("system")
class AgentLoopsTest {
  @TempDir static Path directory;
  private static MemoryCluster cluster;
  private static NetworkNamespace node;
  private static Agent agent;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    cluster = new MemoryCluster();
    node = TestNode.machine("loops");
    Path manifests = Files.createDirectories(directory.resolve("manifests"));
    Files.writeString(
        manifests.resolve("static.yaml"),
        "apiVersion: v1\nkind: Pod\nmetadata: {name: static}\n"
            + "spec: {containers: [{name: c, image: fairlead.dev/pause}]}\n");
    agent =
        Agent.start(
            cluster.client(),
            TestNode.options(node, directory.resolve("agent"))
                .manifests(Optional.of(manifests))
                .build());
    cluster.pod("node-a", "web-0", "containers: [{name: c, image: fairlead.dev/hostnames}]");
    cluster.awaitReady("web-0");
    cluster.awaitReady("static-node-a");
  }

  @AfterAll
  static void stop() {
    agent.close();
    Agent.removeAll(directory.resolve("agent"), HostNamespace.of(node));
    node.delete();
    cluster.close();
  }

  private static LoopStatus status(String kind) {
    return LoopRegistry.statuses().stream()
        .filter(one -> one.kind().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "log-rotation",
        "mirror-pods",
        "node-lease",
        "node-routes",
        "node-status",
        "pod-housekeeping",
        "pod-status-writer",
        "pod-worker",
        "static-pods",
      })
  void aLoopThatFailsOnceGoesOn(String kind) {
    LoopStatus before = status(kind);
    int hit = LoopFaults.failOnce(kind);
    assertThat(hit).isPositive();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(status(kind).restarts())
                    .isGreaterThanOrEqualTo(before.restarts() + hit));
    if (kind.equals(ApiPodReporter.LOOP) || kind.equals(PodWorker.LOOP)) {
      // They wait for work.
      podComesAndGoes("after-" + kind, "pause");
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(status(kind).steps()).isGreaterThan(before.steps()));
    assertThat(status(kind).running()).isGreaterThanOrEqualTo(hit);
  }

  @Test
  void podsRunAndEndAfterEveryLoopHasFailed() {
    LoopRegistry.statuses().forEach(one -> LoopFaults.failOnce(one.kind()));
    podComesAndGoes("late", "hostnames");
  }

  /// Returns when its worker has ended: a fault that is put into a loop on its way out happens no
  /// more.
  private static void podComesAndGoes(String name, String image) {
    int workers = status(PodWorker.LOOP).running();
    cluster.pod("node-a", name, "containers: [{name: c, image: fairlead.dev/" + image + "}]");
    cluster.awaitReady(name);
    cluster.delete(name);
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(status(PodWorker.LOOP).running()).isEqualTo(workers));
  }
}
