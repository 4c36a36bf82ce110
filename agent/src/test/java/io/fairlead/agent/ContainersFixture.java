package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.containerd.PrivateContainerd;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.api.json.Json;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Pacer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A node that is a network namespace, its agent, a containerd with one image, and an API in
/// memory.
final class ContainersFixture implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final String BUSYBOX = "fairlead.test/busybox:1";

  private final Path directory;
  private final NetworkNamespace node;
  private final Path engine;
  private final RuntimeOptions runtime;
  private final boolean borrowed;
  private final MemoryCluster cluster = new MemoryCluster();
  private Agent agent;

  /// @param engine where the containerd of this node lives
  private ContainersFixture(
      Path directory, NetworkNamespace node, Path engine, RuntimeOptions runtime)
      throws InterruptedException {
    this.directory = directory;
    this.node = node;
    this.engine = engine;
    this.runtime = runtime;
    this.borrowed = runtime.socket().isPresent();
    agent = Agent.start(cluster.client(), options());
    new PrivateContainerd(engine, HostNamespace.of(node), Pacer.system())
        .importArchive(DebianImages.busybox().archive(BUSYBOX));
  }

  /// With a containerd that the agent starts.
  static ContainersFixture start(Path directory) throws InterruptedException {
    NetworkNamespace node = TestNode.machine("containers");
    try {
      return new ContainersFixture(
          directory,
          node,
          directory.resolve("agent/containerd"),
          new RuntimeOptions(RuntimeOptions.Kind.AUTO, Optional.empty()));
    } catch (RuntimeException | InterruptedException e) {
      node.delete();
      throw e;
    }
  }

  /// With a containerd that runs already; the machine stays when all is over.
  ///
  /// @param engine where that lives
  static ContainersFixture start(
      Path directory, NetworkNamespace node, Path engine, RuntimeOptions.Kind kind)
      throws InterruptedException {
    return new ContainersFixture(
        directory,
        node,
        engine,
        new RuntimeOptions(kind, Optional.of(engine.resolve("containerd.sock"))));
  }

  private AgentOptions options() {
    return TestNode.options(node, directory.resolve("agent")).runtime(runtime).build();
  }

  void restartAgent() throws InterruptedException {
    agent.close();
    agent = Agent.start(cluster.client(), options());
  }

  /// Ends the agent and removes what it made; looks that nothing is left.
  @Override
  public void close() throws IOException {
    try {
      agent.close();
      assertThat(Agent.removeAll(directory.resolve("agent"), HostNamespace.of(node))).isTrue();
      assertThat(onNode("nft", "list", "tables")).isEmpty();
      assertThat(onNode("ip", "-o", "link")).doesNotContain("@");
      assertThat(Files.readString(Path.of("/proc/self/mounts")))
          .doesNotContain(directory.resolve("agent") + "/");
      // The process beside each container ends a moment after it.
      await().atMost(PATIENCE).until(() -> enginesLeft().isEmpty());
    } finally {
      if (!borrowed) {
        node.delete();
      }
      cluster.close();
    }
  }

  private List<String> enginesLeft() {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains(directory.resolve("agent").toString()))
        .filter(line -> line.contains("containerd") && !line.contains("java"))
        .toList();
  }

  NetworkNamespace node() {
    return node;
  }

  String onNode(String... command) {
    return CommandRunner.inside(node, PATIENCE).run("", List.of(command)).output();
  }

  /// containerd's own tool.
  CommandRunner.Result ctr(String... words) {
    List<String> line =
        new ArrayList<>(
            List.of("ctr", "-a", engine.resolve("containerd.sock").toString(), "-n", "k8s.io"));
    line.addAll(List.of(words));
    return CommandRunner.here(PATIENCE).run("", line);
  }

  MemoryCluster cluster() {
    return cluster;
  }

  /// Asks for a pod on this node.
  void pod(String name, String spec) {
    cluster.pod("node-a", name, spec);
  }

  /// The reasons of a pod's events.
  List<String> events(String pod) {
    return cluster.client().list(ResourceType.EVENTS, "default", ListOptions.ALL).items().stream()
        .filter(event -> Json.textOr(event, "", "involvedObject", "name").equals(pod))
        .map(event -> Json.textOr(event, "", "reason"))
        .toList();
  }

  /// Where the output of one run of container `c` lies.
  Path log(String name, int attempt) {
    String uid = Json.textOr(cluster.pod(name), "", "metadata", "uid");
    return directory.resolve("agent/logs/default_" + name + "_" + uid + "/c/" + attempt + ".log");
  }

  /// What one run of container `c` has written so far.
  List<String> said(String name, int attempt) throws IOException {
    Path log = log(name, attempt);
    if (!Files.exists(log)) {
      return List.of();
    }
    return Files.readAllLines(log).stream()
        .map(line -> line.replaceFirst("^\\S+ \\S+ [FP] ", ""))
        .toList();
  }
}
