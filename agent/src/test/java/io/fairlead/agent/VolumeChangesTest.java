package io.fairlead.agent;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What volumes show changes while a container runs.
@Tag("system")
class VolumeChangesTest {
  /// Where a volume's files come from.
  ///
  /// @param volume with `live` as its object
  /// @param blue what the object holds first
  /// @param red what it holds then
  private record Source(String name, ResourceType type, String volume, String blue, String red) {
    @Override
    public String toString() {
      return name;
    }
  }

  @TempDir static Path directory;
  private static final MemoryCluster CLUSTER = new MemoryCluster();
  private static NetworkNamespace node;
  private static Agent agent;

  @BeforeAll
  static void start() throws InterruptedException {
    node = TestNode.machine("volumes");
    agent =
        Agent.start(CLUSTER.client(), TestNode.options(node, directory.resolve("agent")).build());
  }

  @AfterAll
  static void stop() {
    try {
      if (agent != null) {
        agent.close();
        assertThat(Agent.removeAll(directory.resolve("agent"), HostNamespace.of(node))).isTrue();
      }
    } finally {
      node.delete();
      CLUSTER.close();
    }
  }

  static Stream<Source> sources() {
    return Stream.of(
        new Source("map", ResourceType.CONFIG_MAPS, "configMap: {name: live}", "blue", "red"),
        new Source(
            "secret", MemoryCluster.SECRETS, "secret: {secretName: live}", "Ymx1ZQ==", "cmVk"),
        new Source(
            "projected-secret",
            MemoryCluster.SECRETS,
            "projected: {sources: [{secret: {name: live}}]}",
            "Ymx1ZQ==",
            "cmVk"));
  }

  /// Within less than the time after which every pod is looked at anyway.
  @ParameterizedTest
  @MethodSource("sources")
  void n56AChangeReachesTheFilesOfARunningContainer(Source source) {
    String pod = source.name();
    String object = "live-" + pod;
    CLUSTER.create(
        source.type(),
        "default",
        "metadata: {name: " + object + "}\ndata: {colour: " + source.blue() + "}");
    CLUSTER.pod(
        "node-a",
        pod,
        "restartPolicy: Never, volumes: [{name: v, "
            + source.volume().replace("live", object)
            + "}, {name: d, downwardAPI:"
            + " {items: [{path: labels, fieldRef: {fieldPath: metadata.labels}}]}}], containers:"
            + " [{name: c, image: fairlead.dev/shell, command: [sh, -c, 'echo begun; until grep -q red"
            + " /settings/colour && grep -q moved /told/labels; do sleep 0.1; done; cat"
            + " /settings/colour /once > /dev/termination-log'], volumeMounts: [{name: v,"
            + " mountPath: /settings}, {name: d, mountPath: /told}, {name: v, mountPath: /once,"
            + " subPath: colour}]}]");
    Path log =
        directory.resolve(
            "agent/logs/default_"
                + pod
                + "_"
                + Json.textOr(CLUSTER.pod(pod), "", "metadata", "uid")
                + "/c/0.log");
    await()
        .atMost(PATIENCE)
        .until(() -> Files.exists(log) && Files.readString(log).contains("begun"));
    change(source.type(), object, "data: {colour: " + source.red() + "}");
    change(ResourceType.PODS, pod, "metadata: {labels: {state: moved}}");
    await()
        .atMost(Duration.ofSeconds(45))
        .untilAsserted(
            () ->
                assertThat(CLUSTER.phase(pod))
                    .as(() -> CLUSTER.pod(pod).path("status") + written())
                    .isEqualTo("Succeeded"));
    assertThat(CLUSTER.says(pod, "state", "terminated", "message"))
        .as("what is mounted by itself stays")
        .isEqualTo("redblue");
  }

  private static void change(ResourceType type, String name, String yaml) {
    CLUSTER
        .client()
        .patch(
            type, new ObjectKey("default", name), PatchType.MERGE, (ObjectNode) Yaml.parse(yaml));
  }

  /// What lies in the pods' volumes, to show in a failure why they did not change.
  private static String written() {
    return CommandRunner.here(PATIENCE)
        .run("", List.of("grep", "-r", ".", directory.resolve("agent/pods").toString()))
        .output();
  }
}
