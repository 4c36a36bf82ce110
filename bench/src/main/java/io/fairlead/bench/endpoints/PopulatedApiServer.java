package io.fairlead.bench.endpoints;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.bench.api.ApiServerLauncher;
import io.fairlead.bench.api.ApiServerUnderTest;
import io.fairlead.bench.api.Processes;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.work.Tasks;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import tools.jackson.databind.node.ObjectNode;

/// An API server of its own process, and words to fill it with Services and pods.
public final class PopulatedApiServer implements AutoCloseable {
  private static final String TOKEN = "bench-token";
  private static final int CALLERS = 16;
  private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final List<Process> processes;
  private final ClientConfig connection;
  final Client client;

  private PopulatedApiServer(List<Process> processes, ClientConfig connection) {
    this.processes = processes;
    this.connection = connection;
    this.client = newClient();
  }

  public static PopulatedApiServer start(Path home, Path directory) throws Exception {
    Path tokens = directory.resolve("tokens.csv");
    Files.writeString(tokens, TOKEN + ",bench,bench,\"system:masters\"\n");
    int port = Processes.freePort();
    List<String> command =
        new ApiServerLauncher(home).fairlead(port, directory.resolve("data"), tokens);
    ClientConfig connection =
        ClientConfig.of(
            URI.create("https://127.0.0.1:" + port),
            new Trust.Anyone(),
            new ClientIdentity.Token(TOKEN));
    PopulatedApiServer world =
        new PopulatedApiServer(
            List.of(Processes.start(directory.resolve("log"), command)), connection);
    try {
      world.awaitReady();
      world.prepare();
      return world;
    } catch (Exception e) {
      world.close();
      throw new IllegalStateException(
          "the server did not become ready: " + Files.readString(directory.resolve("log")), e);
    }
  }

  /// One of those that [ApiServerLauncher] can start.
  static PopulatedApiServer start(String who, Path home, Path directory) throws Exception {
    ApiServerUnderTest server = new ApiServerLauncher(home).start(who, directory);
    PopulatedApiServer world =
        new PopulatedApiServer(
            server.processes(),
            ClientConfig.of(
                URI.create("https://127.0.0.1:" + server.port()),
                new Trust.Anyone(),
                new ClientIdentity.Token(server.token())));
    world.awaitReady();
    world.prepare();
    return world;
  }

  /// How another process finds it.
  String kubeconfig() {
    return """
    apiVersion: v1
    kind: Config
    current-context: c
    clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
    users: [{name: c, user: {token: "%s"}}]
    contexts: [{name: c, context: {cluster: c, user: c}}]
    """
        .formatted(connection.server(), TOKEN);
  }

  /// Another connection to the same server.
  public Client newClient() {
    return new Client(new HttpTransport(connection, "bench/1"));
  }

  private void awaitReady() throws InterruptedException {
    long deadline = System.nanoTime() + READY_NANOS;
    while (true) {
      try {
        client.getPath("/api/v1/namespaces/default");
        return;
      } catch (ApiException | ConnectionException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        boolean _ = new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
      }
    }
  }

  /// What pods need: a node to be on and an account to run under.
  private void prepare() {
    ObjectNode account = Json.object().put("kind", "ServiceAccount").put("apiVersion", "v1");
    account.putObject("metadata").put("name", "default");
    client.create(ResourceType.SERVICE_ACCOUNTS, "default", account);
    ObjectNode node = Json.object().put("kind", "Node").put("apiVersion", "v1");
    node.putObject("metadata").put("name", "node");
    client.create(ResourceType.NODES, "", node);
  }

  /// `svc-N`, which selects the pods with that number as their group.
  void services(int first, int count) throws Exception {
    services(first, count, "ClusterIP");
  }

  /// The same of another type.
  public void services(int first, int count, String type) throws Exception {
    parallel(
        count,
        i -> {
          String name = "svc-" + (first + i);
          ObjectNode service = Json.object().put("kind", "Service").put("apiVersion", "v1");
          service.putObject("metadata").put("name", name);
          ObjectNode spec = service.putObject("spec").put("type", type);
          if (type.equals("LoadBalancer")) {
            // Node ports would be used up before the addresses are.
            spec.put("allocateLoadBalancerNodePorts", false);
          }
          spec.putObject("selector").put("group", name);
          spec.putArray("ports")
              .addObject()
              .put("name", "http")
              .put("port", 80)
              .put("targetPort", 8080);
          client.create(ResourceType.SERVICES, "default", service);
        });
  }

  /// Ready pods `NAME-0`… of a Service.
  void pods(String service, int from, int count) throws Exception {
    parallel(count, i -> pod(service, from + i, true));
  }

  /// Pods for many Services, so many each.
  void podsOf(int firstService, int services, int each) throws Exception {
    parallel(services * each, i -> pod("svc-" + (firstService + i / each), i % each, true));
  }

  static String podName(String service, int number) {
    return service + "-" + number;
  }

  void pod(String service, int number, boolean ready) {
    String name = podName(service, number);
    ObjectNode pod = Json.object().put("kind", "Pod").put("apiVersion", "v1");
    pod.putObject("metadata").put("name", name).putObject("labels").put("group", service);
    ObjectNode spec = pod.putObject("spec").put("nodeName", "node");
    spec.putArray("containers").addObject().put("name", "c").put("image", "example.com/c");
    ObjectNode made = client.create(ResourceType.PODS, "default", pod);
    int address = name.hashCode();
    String ip =
        "10." + (address >>> 16 & 0xff) + "." + (address >>> 8 & 0xff) + "." + (address & 0xff);
    ObjectNode status = Json.child(made, "status").put("phase", "Running").put("podIP", ip);
    status.putArray("podIPs").addObject().put("ip", ip);
    setReady(made, ready);
    client.update(ResourceType.PODS, "status", made);
  }

  void ready(String pod, boolean ready) {
    ObjectNode object = client.get(ResourceType.PODS, new ObjectKey("default", pod));
    setReady(object, ready);
    client.update(ResourceType.PODS, "status", object);
  }

  void delete(String pod, long grace) {
    client.delete(
        ResourceType.PODS, new ObjectKey("default", pod), DeleteOptions.DEFAULT.within(grace));
  }

  private static void setReady(ObjectNode pod, boolean ready) {
    Json.child(pod, "status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", ready ? "True" : "False")
        .put("lastTransitionTime", "2026-01-01T00:00:00Z");
  }

  private static void parallel(int count, IntConsumer each) throws Exception {
    try (ExecutorService callers = Tasks.perTask("caller")) {
      List<Future<?>> parts = new java.util.ArrayList<>();
      for (int caller = 0; caller < CALLERS; caller++) {
        int first = caller;
        parts.add(
            callers.submit(
                () -> {
                  for (int i = first; i < count; i += CALLERS) {
                    each.accept(i);
                  }
                }));
      }
      for (Future<?> part : parts) {
        part.get();
      }
    }
  }

  double residentMegabytes() {
    return processes.stream().mapToLong(process -> Processes.residentBytes(process.pid())).sum()
        / 1e6;
  }

  @Override
  public void close() {
    client.close();
    Processes.stop(processes);
  }
}
