package io.fairlead.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.Agent;
import io.fairlead.agent.RuntimeOptions;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.e2e.TestServer;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From `kubectl apply` of an ordinary Deployment to real containers that answer.
@Tag("system")
class ContainersRunTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata:
        name: nginx-deployment
        labels:
          app: nginx
      spec:
        replicas: 3
        selector:
          matchLabels:
            app: nginx
        template:
          metadata:
            labels:
              app: nginx
          spec:
            containers:
            - name: nginx
              image: nginx:1.14.2
              ports:
              - containerPort: 80
      """;

  @TempDir static Path directory;
  private static NetworkNamespace node;
  private static TestServer server;

  @BeforeAll
  static void start() throws IOException {
    node = TestNode.machine("e2e");
    server =
        TestServer.withNode(
            directory,
            TestNode.options(node, directory.resolve("agent"))
                .clusterDns(List.of("10.0.0.10"))
                .runtime(new RuntimeOptions(RuntimeOptions.Kind.AUTO, Optional.empty()))
                .build());
    server.writeKubeconfig(directory.resolve("config"));
    Path archive = directory.resolve("nginx.tar");
    Files.write(archive, DebianImages.nginx().archive("docker.io/library/nginx:1.14.2"));
    CommandRunner.Result imported =
        CommandRunner.here(PATIENCE)
            .run(
                "",
                List.of(
                    "ctr",
                    "-a",
                    directory.resolve("agent/containerd/containerd.sock").toString(),
                    "-n",
                    "k8s.io",
                    "images",
                    "import",
                    archive.toString()));
    assertThat(imported.exit()).as(imported.error()).isZero();
  }

  @AfterAll
  static void stop() {
    try {
      server.close();
      assertThat(Agent.removeAll(directory.resolve("agent"), HostNamespace.of(node))).isTrue();
      assertThat(run("ip", "-o", "link")).as("links left").doesNotContain("@");
      assertThat(run("nft", "list", "tables")).as("tables left").isEmpty();
    } finally {
      node.delete();
    }
  }

  private static String run(String... command) {
    return CommandRunner.inside(node, PATIENCE).run("", List.of(command)).output().strip();
  }

  private static CommandRunner.Result kubectl(String input, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of("kubectl", "--kubeconfig=" + directory.resolve("config"), "-n", "default"));
    command.addAll(List.of(words));
    return CommandRunner.here(PATIENCE).run(input, command);
  }

  @Test
  void threeReplicasOfNginxAnswerAndTheirLogsAreRead() {
    CommandRunner.Result applied = kubectl(DEPLOYMENT, "apply", "-f", "-");
    assertThat(applied.exit()).as(applied.error()).isZero();
    String ready = "jsonpath={.status.readyReplicas}";
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(kubectl("", "get", "deployment/nginx-deployment", "-o", ready).output())
                    .isEqualTo("3"));
    String pods = "jsonpath={range .items[*]}{.metadata.name} {.status.podIP}{\"\\n\"}{end}";
    List<String> lines =
        kubectl("", "get", "pods", "-l", "app=nginx", "-o", pods).output().lines().toList();
    assertThat(lines).hasSize(3).doesNotHaveDuplicates();
    for (String line : lines) {
      String[] words = line.split(" ");
      assertThat(run("curl", "-s", "--max-time", "20", "http://" + words[1] + "/"))
          .contains("Welcome to nginx!");
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(kubectl("", "logs", words[0]).output()).contains("GET / HTTP/1.1"));
    }
    String first = lines.getFirst().split(" ")[0];
    CommandRunner.Result version = kubectl("", "exec", first, "--", "nginx", "-v");
    assertThat(version.error()).contains("nginx version");
    assertThat(version.exit()).isZero();
    kubectl("", "delete", "deployment/nginx-deployment", "--wait=false");
    await()
        .atMost(PATIENCE)
        .until(() -> kubectl("", "get", "pods", "-o", "name").output().isBlank());
  }
}
