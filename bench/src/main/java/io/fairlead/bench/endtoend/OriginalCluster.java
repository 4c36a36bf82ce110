package io.fairlead.bench.endtoend;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.bench.api.ApiServerLauncher;
import io.fairlead.bench.api.Processes;
import io.fairlead.bench.report.Originals;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.kubeconfig.Kubeconfig;
import io.fairlead.client.transport.ConnectionException;
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
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The originals put together: etcd, kube-apiserver, kube-controller-manager, kube-scheduler,
/// kube-proxy in nftables mode and CoreDNS. The pods are run by Fairlead's agent, so that they are
/// the same as in the cluster they are compared with.
public final class OriginalCluster implements ClusterUnderTest {
  private static final String NODE = "bench";
  private static final String ADDRESS = "192.0.2.10";
  private static final String DNS_ADDRESS = "10.96.0.10";
  private static final String TOKEN = "bench-token";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final List<Originals> PARTS =
      List.of(
          Originals.ETCD,
          Originals.KUBE_APISERVER,
          Originals.KUBE_CONTROLLER_MANAGER,
          Originals.KUBE_SCHEDULER,
          Originals.KUBE_PROXY,
          Originals.COREDNS);

  private final Path fairlead;
  private final Path directory;
  private final List<Process> processes = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Client client;

  private OriginalCluster(Path fairlead, Path directory) throws Exception {
    this.fairlead = fairlead;
    this.directory = directory;
    // Also when the user interrupts it.
    Tasks.atExit("clean-up", this::close);
    Path kubeconfig = kubeconfig();
    startApiServer();
    client =
        new Client(new HttpTransport(Kubeconfig.read(kubeconfig).connection(), "fairlead-bench"));
    await("the API server", this::answers);
    startOthers(kubeconfig);
    await("the node", this::nodeIsReady);
    await("the service account", () -> exists(ResourceType.SERVICE_ACCOUNTS, "default", "default"));
  }

  /// Starts them and waits until pods can be made; empty where one of the programs is missing.
  public static Optional<ClusterUnderTest> start() throws Exception {
    for (Originals part : PARTS) {
      if (part.find().isEmpty()) {
        return Optional.empty();
      }
    }
    Path fairlead =
        Path.of(System.getProperty("fairlead.home", ".")).resolve("fairlead").toAbsolutePath();
    return Optional.of(
        new OriginalCluster(fairlead, Files.createTempDirectory("fairlead-bench-originals")));
  }

  private Path kubeconfig() throws IOException {
    return Files.writeString(
        directory.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        clusters: [{name: c, cluster: {server: "https://%s:6443", insecure-skip-tls-verify: true}}]
        users: [{name: c, user: {token: "%s"}}]
        contexts: [{name: c, context: {cluster: c, user: c}}]
        """
            .formatted(ADDRESS, TOKEN));
  }

  private void startApiServer() throws Exception {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"), TOKEN + ",bench,bench,\"system:masters\"\n");
    List<String> flags = List.of("--advertise-address=" + ADDRESS, "--allow-privileged=true");
    processes.addAll(ApiServerLauncher.original(6443, "0.0.0.0", directory, tokens, flags));
  }

  private void startOthers(Path kubeconfig) throws Exception {
    String config = "--kubeconfig=" + kubeconfig;
    start(
        Originals.KUBE_CONTROLLER_MANAGER,
        config,
        "--leader-elect=false",
        "--service-account-private-key-file=" + directory.resolve("sa.key"),
        "--root-ca-file=" + directory.resolve("certs/apiserver.crt"),
        "--allocate-node-cidrs=true",
        "--cluster-cidr=10.244.0.0/16",
        "--service-cluster-ip-range=10.96.0.0/12");
    start(Originals.KUBE_SCHEDULER, config, "--leader-elect=false");
    start(
        Originals.KUBE_PROXY,
        config,
        "--proxy-mode=nftables",
        "--hostname-override=" + NODE,
        "--cluster-cidr=10.244.0.0/16",
        "--conntrack-max-per-core=0",
        "--conntrack-tcp-timeout-established=0",
        "--conntrack-tcp-timeout-close-wait=0");
    Path corefile =
        Files.writeString(
            directory.resolve("Corefile"),
            """
            .:5353 {
              bind 127.0.0.1
              kubernetes cluster.local {
                kubeconfig %s c
              }
            }
            """
                .formatted(kubeconfig));
    start(Originals.COREDNS, "-conf", corefile.toString(), "-quiet");
    processes.add(Processes.start(directory.resolve("agent.log"), agent()));
  }

  private List<String> agent(String... more) {
    List<String> line =
        new ArrayList<>(
            List.of(
                fairlead.toString(),
                "agent",
                "--kubeconfig=" + directory.resolve("kubeconfig"),
                "--hostname-override=" + NODE,
                "--node-ip=" + ADDRESS,
                "--cluster-dns=" + DNS_ADDRESS,
                "--runtime=builtin",
                "--root-dir=" + directory.resolve("agent")));
    line.addAll(List.of(more));
    return line;
  }

  private void start(Originals part, String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(part.find().orElseThrow().toString()));
    command.addAll(List.of(words));
    processes.add(Processes.start(directory.resolve(part.program() + ".log"), command));
  }

  private boolean answers() {
    return exists(ResourceType.NAMESPACES, "", "default")
        && exists(ResourceType.NAMESPACES, "", "kube-system");
  }

  private boolean exists(ResourceType type, String namespace, String name) {
    try {
      client.get(type, new ObjectKey(namespace, name));
      return true;
    } catch (ApiException | ConnectionException _) {
      return false;
    }
  }

  private boolean nodeIsReady() {
    for (ObjectNode node : client.list(ResourceType.NODES, "", ListOptions.ALL).items()) {
      boolean tainted = !Json.at(node, "spec", "taints").isEmpty();
      for (JsonNode condition : Json.at(node, "status", "conditions")) {
        if (Json.textOr(condition, "", "type").equals("Ready")) {
          return Json.textOr(condition, "", "status").equals("True") && !tainted;
        }
      }
    }
    return false;
  }

  private void await(String what, BooleanSupplier there) throws IOException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!there.getAsBoolean()) {
      if (System.nanoTime() > end || processes.stream().anyMatch(each -> !each.isAlive())) {
        String message = what + " of the originals did not come; logs are in " + directory;
        closed.set(true);
        Processes.stop(processes);
        throw new IllegalStateException(message);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  @Override
  public Client client() {
    return client;
  }

  @Override
  public double residentMegabytes() {
    return processes.stream().mapToLong(each -> Processes.residentBytes(each.pid())).sum() / 1e6;
  }

  /// Ends everything and takes it away. Idempotent.
  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    Processes.stop(processes);
    // By env, since a tool is looked for by its name alone.
    List<String> cleanup = new ArrayList<>(List.of("env"));
    cleanup.addAll(agent("--cleanup"));
    CommandRunner.here(LIMIT).run("", cleanup);
    CommandRunner.here(LIMIT).run("", List.of("nft", "flush", "ruleset"));
    try {
      Processes.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
