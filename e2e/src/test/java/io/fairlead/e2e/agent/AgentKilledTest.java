package io.fairlead.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.testing.DebianImages;
import io.fairlead.e2e.Instance;
import io.fairlead.e2e.TestServer;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.route.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `fairlead agent` as a process with a containerd of its own: both are killed, and no container
/// notices.
@Tag("system")
class AgentKilledTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String IMAGE = "fairlead.test/nginx:1";
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s}
      spec:
        nodeName: node-a
        containers: [{name: c, image: "%s", readinessProbe: {httpGet: {port: 80}, periodSeconds: 1}}]
      """;

  @TempDir Path directory;
  private NetworkNamespace node;
  private TestServer server;
  private Path launcher;
  private final List<Process> agents = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    node = NetworkNamespace.create("e2e-" + UUID.randomUUID().toString().substring(0, 8));
    node.run(
        () -> {
          try (Network inside = Network.open()) {
            inside.setUp(inside.link("lo").orElseThrow().index(), true);
          }
        });
    server = TestServer.complete(directory, 34);
    server.writeKubeconfig(directory.resolve("config"));
    launcher = Instance.launcher(directory);
  }

  @AfterEach
  void stop() throws InterruptedException, IOException {
    try {
      for (Process agent : agents) {
        agent.destroyForcibly().waitFor();
      }
      assertThat(agent("--cleanup").waitFor()).isZero();
      assertThat(run("ip", "-o", "link")).as("links left").doesNotContain("@");
      assertThat(run("nft", "list", "tables")).as("tables left").isEmpty();
      assertThat(directory.resolve("agent/containerd/containerd.pid")).doesNotExist();
    } finally {
      server.close();
      node.delete();
    }
  }

  private Process agent(String... flags) throws IOException {
    List<String> words =
        new ArrayList<>(
            List.of(
                launcher.toString(),
                "agent",
                "--kubeconfig=" + directory.resolve("config"),
                "--hostname-override=node-a",
                "--node-ip=192.0.2.1",
                "--pod-cidr=10.244.5.0/24",
                "--root-dir=" + directory.resolve("agent"),
                "--netns=" + node.name(),
                "--containerd=private"));
    words.addAll(List.of(flags));
    Process process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .start();
    agents.add(process);
    return process;
  }

  private String run(String... command) {
    return Tool.inside(node, PATIENCE).run("", List.of(command)).output().strip();
  }

  private Tool.Result kubectl(String input, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of("kubectl", "--kubeconfig=" + directory.resolve("config"), "-n", "default"));
    command.addAll(List.of(words));
    return Tool.here(PATIENCE).run(input, command);
  }

  private String get(String pod, String path) {
    return kubectl("", "get", "pod", pod, "-o", "jsonpath=" + path).output();
  }

  private void runPod(String name) {
    Tool.Result applied = kubectl(POD.formatted(name, IMAGE), "apply", "-f", "-");
    assertThat(applied.exit()).as(applied.error()).isZero();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(get(name, "{.status.containerStatuses[0].ready}"))
                    .as(get(name, "{.status}"))
                    .isEqualTo("true"));
  }

  private void importImage() throws IOException {
    Path socket = directory.resolve("agent/containerd/containerd.sock");
    List<String> ctr = List.of("ctr", "-a", socket.toString(), "-n", "k8s.io", "images", "import");
    Path archive = directory.resolve("nginx.tar");
    Files.write(archive, DebianImages.nginx().archive(IMAGE));
    List<String> line = new ArrayList<>(ctr);
    line.add(archive.toString());
    await()
        .atMost(PATIENCE)
        .until(() -> Files.exists(socket) && Tool.here(PATIENCE).run("", line).succeeded());
  }

  @Test
  void n64AndN65NoContainerNoticesThatAgentOrEngineDied() throws Exception {
    Process first = agent();
    importImage();
    runPod("steady");
    String id = get("steady", "{.status.containerStatuses[0].containerID}");
    String url = "http://" + get("steady", "{.status.podIP}") + "/";
    assertThat(id).startsWith("containerd://");

    first.destroyForcibly().waitFor();
    assertAnswers(url);
    agent();
    // A pod that comes later shows that the new agent has looked at all pods.
    runPod("after-agent");
    assertSame(id, url);

    Path file = directory.resolve("agent/containerd/containerd.pid");
    ProcessHandle engine =
        ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).orElseThrow();
    engine.destroyForcibly();
    await().atMost(PATIENCE).until(() -> !engine.isAlive());
    assertAnswers(url);
    runPod("after-engine");
    assertSame(id, url);
  }

  private void assertSame(String id, String url) {
    assertAnswers(url);
    assertThat(get("steady", "{.status.containerStatuses[0].containerID}")).isEqualTo(id);
    assertThat(get("steady", "{.status.containerStatuses[0].restartCount}")).isEqualTo("0");
  }

  private void assertAnswers(String url) {
    assertThat(run("curl", "-s", "--max-time", "20", url)).contains("Welcome to nginx!");
  }
}
