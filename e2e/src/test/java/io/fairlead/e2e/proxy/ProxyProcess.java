package io.fairlead.e2e.proxy;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.testing.TransportHttpServer;
import io.fairlead.e2e.FairleadCli;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead proxy` as a process in a network namespace of its own, with a plain HTTP API that is
/// not ours on the namespace's loopback.
final class ProxyProcess implements AutoCloseable {
  static final ResourceType NODES = new ResourceType("", "v1", "nodes", "Node", false);
  static final ResourceType SERVICES = new ResourceType("", "v1", "services", "Service", true);
  static final ResourceType SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  private static final ResourceType CIDRS =
      new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false);

  final Client client;
  final CommandRunner inside;
  private final NetworkNamespace namespace;
  private final TransportHttpServer http;
  private final Path home;
  private final Path launcher;
  private @Nullable Process process;

  ProxyProcess(Path home) throws IOException {
    this.home = home;
    this.namespace = NetworkNamespace.create("fle2e" + ProcessHandle.current().pid());
    this.inside = CommandRunner.inside(namespace, Duration.ofMinutes(1));
    FakeApi api = new FakeApi(List.of(NODES, SERVICES, SLICES, CIDRS, ResourceType.EVENTS));
    this.client = new Client(api);
    must("ip", "link", "set", "lo", "up");
    this.http =
        namespace.call(
            () ->
                new TransportHttpServer(
                    api, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    this.launcher = FairleadCli.launcher(home);
    Files.writeString(home.resolve("kubeconfig"), http.kubeconfig());
    ObjectNode node = Json.object().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", "node-a");
    node.putObject("status")
        .putArray("addresses")
        .addObject()
        .put("type", "InternalIP")
        .put("address", "192.0.2.10");
    client.create(NODES, "", node);
  }

  /// Runs a tool inside and returns what it printed; failing is an error.
  String must(String... words) {
    CommandRunner.Result result = inside.run("", List.of(words));
    if (!result.succeeded()) {
      throw new IllegalStateException(String.join(" ", words) + ": " + result.error());
    }
    return result.output();
  }

  /// Starts the proxy.
  void start(String... flags) throws IOException {
    List<String> words = command(flags);
    process =
        new ProcessBuilder(words)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve("log").toFile()))
            .start();
  }

  private List<String> command(String... flags) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "ip",
                "netns",
                "exec",
                namespace.name(),
                launcher.toString(),
                "proxy",
                "--kubeconfig=" + home.resolve("kubeconfig"),
                "--hostname-override=node-a",
                "--cluster-cidr=10.64.0.0/14",
                "--conntrack-max-per-core=0",
                "--conntrack-tcp-timeout-established=0",
                "--conntrack-tcp-timeout-close-wait=0",
                "--healthz-bind-address=127.0.0.1:10256",
                "--metrics-bind-address=127.0.0.1:10249"));
    words.addAll(List.of(flags));
    return words;
  }

  /// Runs the proxy to its end and returns its exit status.
  int run(String... flags) throws IOException, InterruptedException {
    return new ProcessBuilder(command(flags)).inheritIO().start().waitFor();
  }

  /// Ends it without a word, in the middle of whatever it does.
  void kill() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.descendants().forEach(ProcessHandle::destroyForcibly);
      running.destroyForcibly().waitFor();
      process = null;
    }
  }

  /// Asks it to end, and waits until it has.
  void end() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.destroy();
      running.waitFor();
      process = null;
    }
  }

  /// A directory of its own.
  Path home() {
    return home;
  }

  String log() throws IOException {
    return Files.readString(home.resolve("log"));
  }

  void service(String name, int number) {
    ObjectNode service = Json.object().put("apiVersion", "v1").put("kind", "Service");
    service.putObject("metadata").put("namespace", "default").put("name", name);
    ObjectNode spec = service.putObject("spec");
    spec.put("type", "ClusterIP").put("clusterIP", address(number));
    spec.putArray("ports").addObject().put("name", "h").put("port", 80).put("protocol", "TCP");
    client.create(SERVICES, "default", service);
  }

  void slice(String service, int number) {
    ObjectNode slice =
        Json.object().put("apiVersion", "discovery.k8s.io/v1").put("kind", "EndpointSlice");
    slice
        .putObject("metadata")
        .put("namespace", "default")
        .put("name", service + "-1")
        .putObject("labels")
        .put("kubernetes.io/service-name", service);
    slice.put("addressType", "IPv4");
    slice.putArray("ports").addObject().put("name", "h").put("port", 8080).put("protocol", "TCP");
    ObjectNode endpoint = slice.putArray("endpoints").addObject();
    endpoint.putArray("addresses").add("10.64.0." + (number % 250 + 1));
    endpoint.putObject("conditions").put("ready", true);
    client.create(SLICES, "default", slice);
  }

  static String address(int number) {
    return "10.112." + number / 250 + "." + (number % 250 + 1);
  }

  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    http.close();
    client.close();
    namespace.delete();
  }
}
