package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.containerd.PrivateContainerd;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.route.Network;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A node that is a network namespace, its agent, a containerd with one image, and an API in
/// memory.
final class ContainersLab implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);
  static final String BUSYBOX = "fairlead.test/busybox:1";

  private final Path directory;
  private final NetworkNamespace node;
  private final Path engine;
  private final RuntimeOptions runtime;
  private final boolean borrowed;
  private final Client client =
      new Client(
          new FakeApi(
              List.of(
                  ResourceType.PODS,
                  ResourceType.SERVICES,
                  ResourceType.NODES,
                  ResourceType.LEASES,
                  ResourceType.EVENTS,
                  ResourceType.CONFIG_MAPS)));
  private Agent agent;

  /// @param engine where the containerd of this node lives
  private ContainersLab(Path directory, NetworkNamespace node, Path engine, RuntimeOptions runtime)
      throws InterruptedException {
    this.directory = directory;
    this.node = node;
    this.engine = engine;
    this.runtime = runtime;
    this.borrowed = runtime.socket().isPresent();
    create(ResourceType.NAMESPACES, "", "metadata: {name: kube-node-lease}");
    create(
        ResourceType.SERVICES,
        "default",
        "metadata: {name: kubernetes}\nspec: {clusterIP: 10.96.0.1, ports: [{port: 443}]}");
    agent = Agent.start(client, options());
    new PrivateContainerd(engine, HostNamespace.of(node), Pacer.system())
        .importArchive(DebianImages.busybox().archive(BUSYBOX));
  }

  /// With a containerd that the agent starts.
  static ContainersLab start(Path directory) throws InterruptedException {
    NetworkNamespace node = namespace();
    try {
      return new ContainersLab(
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
  static ContainersLab start(
      Path directory, NetworkNamespace node, Path engine, RuntimeOptions.Kind kind)
      throws InterruptedException {
    return new ContainersLab(
        directory,
        node,
        engine,
        new RuntimeOptions(kind, Optional.of(engine.resolve("containerd.sock"))));
  }

  /// A machine with nothing but loopback.
  static NetworkNamespace namespace() {
    NetworkNamespace node =
        NetworkNamespace.create("containers-" + UUID.randomUUID().toString().substring(0, 8));
    node.run(
        () -> {
          try (Network inside = Network.open()) {
            inside.setUp(inside.link("lo").orElseThrow().index(), true);
          }
        });
    return node;
  }

  private AgentOptions options() {
    return new AgentOptions(
            "node-a",
            List.of("192.0.2.1"),
            List.of(Cidr.parse("10.244.22.0/24")),
            List.of(Cidr.parse("10.244.0.0/16")),
            List.of("10.96.0.10"),
            "cluster.local",
            Map.of(),
            110,
            Path.of("/etc/resolv.conf"),
            directory.resolve("agent"),
            HostNamespace.of(node),
            "v1.34.0")
        .with(runtime);
  }

  void restartAgent() throws InterruptedException {
    agent.close();
    agent = Agent.start(client, options());
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
      client.close();
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
    return Tool.inside(node, PATIENCE).run("", List.of(command)).output();
  }

  /// containerd's own tool.
  Tool.Result ctr(String... words) {
    List<String> line =
        new ArrayList<>(
            List.of("ctr", "-a", engine.resolve("containerd.sock").toString(), "-n", "k8s.io"));
    line.addAll(List.of(words));
    return Tool.here(PATIENCE).run("", line);
  }

  void create(ResourceType type, String namespace, String yaml) {
    client.create(type, namespace, (ObjectNode) Yaml.parse(yaml));
  }

  void pod(String name, String spec) {
    create(
        ResourceType.PODS,
        "default",
        "metadata: {name: " + name + "}\nspec: {nodeName: node-a, " + spec + "}");
  }

  ObjectNode pod(String name) {
    return client.get(ResourceType.PODS, new ObjectKey("default", name));
  }

  JsonNode status(String name) {
    return Json.at(pod(name), "status", "containerStatuses").path(0);
  }

  String phase(String name) {
    return Json.textOr(pod(name), "", "status", "phase");
  }

  void awaitReady(String name) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(status(name).path("ready").asBoolean(false)).isTrue());
  }

  void delete(String name) {
    client.delete(ResourceType.PODS, new ObjectKey("default", name), DeleteOptions.DEFAULT);
    await()
        .atMost(PATIENCE)
        .until(() -> client.find(ResourceType.PODS, new ObjectKey("default", name)).isEmpty());
  }

  /// The reasons of a pod's events.
  List<String> events(String pod) {
    return client.list(ResourceType.EVENTS, "default", ListOptions.ALL).items().stream()
        .filter(event -> Json.textOr(event, "", "involvedObject", "name").equals(pod))
        .map(event -> Json.textOr(event, "", "reason"))
        .toList();
  }

  /// Where the output of one run of container `c` lies.
  Path log(String name, int attempt) {
    String uid = Json.textOr(pod(name), "", "metadata", "uid");
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
