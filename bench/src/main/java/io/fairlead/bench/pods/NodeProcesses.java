package io.fairlead.bench.pods;

import io.fairlead.agent.testing.DebianImages;
import io.fairlead.api.json.Json;
import io.fairlead.bench.api.Processes;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A node and its API server, as processes of this machine: the agent is one of its own, so that
/// its memory and its time can be told from the server's.
final class NodeProcesses implements AutoCloseable {
  static final String IMAGE = "fairlead.test/busybox:1";

  private static final Duration LIMIT = Duration.ofSeconds(120);

  private final Path directory;
  private final Path fairlead;
  private final List<Process> processes = new ArrayList<>();
  private final boolean policies;
  private final Client client;
  private final Process agent;
  private final AtomicBoolean closed = new AtomicBoolean();

  /// @param runtime `builtin` or `cri`
  /// @param policies whether NetworkPolicies are enforced, and pods wait for theirs
  NodeProcesses(Path fairlead, String runtime, boolean policies)
      throws IOException, InterruptedException {
    this.fairlead = fairlead;
    this.policies = policies;
    this.directory = Files.createTempDirectory("flpods");
    start(
        "up",
        "--foreground",
        "--agent=off",
        "--proxy=on",
        "--dns=off",
        "--data-dir=" + directory.resolve("data"),
        "--kubeconfig=" + kubeconfig());
    await(
        "the API server",
        () ->
            Files.exists(kubeconfig())
                && CommandRunner.here(LIMIT)
                    .run("", List.of("curl", "-skf", "https://127.0.0.1:6443/readyz"))
                    .succeeded());
    if (policies) {
      start(policyLine());
    }
    this.agent = start(agentLine("--runtime=" + runtime, "--policy=" + (policies ? "on" : "off")));
    this.client =
        new Client(
            new HttpTransport(
                Kubeconfig.load(Optional.of(kubeconfig()), Map.of(), directory).connection(),
                "bench"));
    if (runtime.equals("cri")) {
      importImage();
    }
    await("the node", this::ready);
    // Also when the user interrupts it.
    Tasks.atExit("clean-up", this::close);
  }

  private Path kubeconfig() {
    return directory.resolve("kubeconfig");
  }

  private String[] agentLine(String... more) {
    List<String> line =
        new ArrayList<>(
            List.of(
                "agent",
                "--kubeconfig=" + kubeconfig(),
                "--hostname-override=bench",
                "--node-ip=192.0.2.10",
                "--root-dir=" + directory.resolve("agent"),
                "--containerd=private"));
    line.addAll(List.of(more));
    return line.toArray(String[]::new);
  }

  private String[] policyLine(String... more) {
    List<String> line =
        new ArrayList<>(
            List.of("policy", "--kubeconfig=" + kubeconfig(), "--hostname-override=bench"));
    line.addAll(List.of(more));
    return line.toArray(String[]::new);
  }

  private Process start(String... words) throws IOException {
    List<String> line = new ArrayList<>(List.of(fairlead.toString()));
    line.addAll(List.of(words));
    Process process = Processes.start(directory.resolve("log"), line);
    processes.add(process);
    return process;
  }

  private void importImage() throws IOException, InterruptedException {
    Path archive = directory.resolve("busybox.tar");
    Files.write(archive, DebianImages.busybox().archive(IMAGE));
    Path socket = directory.resolve("agent/containerd/containerd.sock");
    List<String> line =
        List.of(
            "ctr", "-a", socket.toString(), "-n", "k8s.io", "images", "import", archive.toString());
    await(
        "containerd",
        () -> Files.exists(socket) && CommandRunner.here(LIMIT).run("", line).succeeded());
  }

  private boolean ready() {
    for (ObjectNode node : client.list(ResourceType.NODES, "", ListOptions.ALL).items()) {
      for (JsonNode condition : Json.at(node, "status", "conditions")) {
        if (Json.textOr(condition, "", "type").equals("Ready")) {
          return Json.textOr(condition, "", "status").equals("True");
        }
      }
    }
    return false;
  }

  private void await(String what, BooleanSupplier there) throws IOException, InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!there.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            what + " did not come: " + Files.readString(directory.resolve("log")));
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  Client client() {
    return client;
  }

  double residentMegabytes() {
    return Processes.residentBytes(agent.pid()) / 1e6;
  }

  /// Seconds of processor time the agent has used.
  double processorSeconds() throws IOException {
    return Processes.processorSeconds(agent.pid());
  }

  private void cleanUp(String... words) {
    // By env, since a tool is looked for by its name alone.
    List<String> line = new ArrayList<>(List.of("env", fairlead.toString()));
    line.addAll(List.of(words));
    CommandRunner.here(LIMIT).run("", line);
  }

  /// Ends everything and takes it away. Idempotent.
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    client.close();
    Processes.stop(processes);
    cleanUp(agentLine("--cleanup"));
    if (policies) {
      cleanUp(policyLine("--cleanup"));
    }
    try {
      Processes.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
