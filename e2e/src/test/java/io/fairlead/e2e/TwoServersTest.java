package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fairlead.api.json.Json;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Two API servers, each a process of its own, on one real etcd.
@Tag("system")
class TwoServersTest {
  private static final int SERVICES_EACH = 25;

  @TempDir Path home;
  private final List<Process> processes = new ArrayList<>();
  private int portA;
  private int portB;

  @BeforeEach
  void start() throws IOException {
    boolean installed =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "etcd")));
    Assumptions.assumeTrue(
        installed, "etcd is not installed: `apt-get install etcd-server` makes this test run");
    String etcd = "http://127.0.0.1:" + FairleadCli.freePort();
    String peer = "http://127.0.0.1:" + FairleadCli.freePort();
    launch(
        "etcd",
        "etcd",
        "--data-dir=" + home.resolve("etcd"),
        "--listen-client-urls=" + etcd,
        "--advertise-client-urls=" + etcd,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=default=" + peer,
        "--log-level=error");
    URI address = URI.create(etcd);
    await().atMost(Duration.ofSeconds(60)).until(() -> accepts(address));
    Path tokens = Files.writeString(home.resolve("tokens"), "secret,root,1,system:masters\n");
    portA = FairleadCli.freePort();
    portB = FairleadCli.freePort();
    server("a", portA, etcd, tokens);
    server("b", portB, etcd, tokens);
  }

  @AfterEach
  void stop() throws InterruptedException {
    for (Process process : processes.reversed()) {
      process.destroy();
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void theyAreOneClusterAndOneGoesOnAlone() throws Exception {
    try (KubernetesClient a = client(portA);
        KubernetesClient b = client(portB)) {
      await()
          .atMost(Duration.ofSeconds(90))
          .ignoreExceptions()
          .failFast(() -> assertThat(processes).as(logs()).allMatch(Process::isAlive))
          .until(() -> isReady(a) && isReady(b));
      whatIsMadeOnOneIsSeenOnTheOther(a, b);
      addressesAndPortsAreGivenOnce(a, b);
      aLostUpdateIsAConflict(a, b);
      oneDiesInTheMiddleAndLeavesNothingBehind(a, b, processes.get(1));
      ConfigMap alone = b.resource(map("alone", "1")).inNamespace("default").create();
      assertThat(b.configMaps().inNamespace("default").withName("alone").get()).isEqualTo(alone);
      assertThat(isReady(b)).isTrue();
    }
  }

  private static void whatIsMadeOnOneIsSeenOnTheOther(KubernetesClient a, KubernetesClient b) {
    List<String> seen = new CopyOnWriteArrayList<>();
    String from = b.configMaps().inNamespace("default").list().getMetadata().getResourceVersion();
    try (Watch _ =
        b.configMaps().inNamespace("default").withResourceVersion(from).watch(new Names(seen))) {
      ConfigMap made = a.resource(map("shared", "1")).inNamespace("default").create();
      // A list without resourceVersion is never older than what was acknowledged elsewhere.
      assertThat(b.configMaps().inNamespace("default").list().getItems()).contains(made);
      assertThat(Long.parseLong(made.getMetadata().getResourceVersion()))
          .isGreaterThan(Long.parseLong(from));
      await().atMost(Duration.ofMinutes(1)).until(() -> seen.contains("ADDED shared"));
    }
  }

  private static void addressesAndPortsAreGivenOnce(KubernetesClient a, KubernetesClient b)
      throws Exception {
    List<Service> made = new ArrayList<>();
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Service>> sent = new ArrayList<>();
      for (int i = 0; i < SERVICES_EACH; i++) {
        Service one = service("a" + i);
        sent.add(workers.submit(() -> a.resource(one).inNamespace("default").create()));
        Service two = service("b" + i);
        sent.add(workers.submit(() -> b.resource(two).inNamespace("default").create()));
      }
      for (Future<Service> each : sent) {
        made.add(each.get(60, TimeUnit.SECONDS));
      }
    }
    assertThat(made).extracting(each -> each.getSpec().getClusterIP()).doesNotHaveDuplicates();
    assertThat(made)
        .extracting(each -> each.getSpec().getPorts().getFirst().getNodePort())
        .doesNotContainNull()
        .doesNotHaveDuplicates();
    assertThat(made)
        .extracting(each -> each.getMetadata().getResourceVersion())
        .doesNotHaveDuplicates();
    assertThat(a.services().inNamespace("default").list().getItems()).containsAll(made);
  }

  /// Sixteen clients make Services on both servers while one is killed: every address has its
  /// Service and back, no two have the same, and when all are deleted all are free.
  private static void oneDiesInTheMiddleAndLeavesNothingBehind(
      KubernetesClient a, KubernetesClient b, Process dying) throws Exception {
    AtomicInteger made = new AtomicInteger();
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        int client = i;
        KubernetesClient server = client % 2 == 0 ? a : b;
        clients.add(
            workers.submit(
                () -> {
                  for (int n = 0; n < 10; n++) {
                    Service one = service("kill-" + client + "-" + n);
                    try {
                      server.resource(one).inNamespace("default").create();
                    } catch (KubernetesClientException e) {
                      // A stopped server answers no client; what became of this one is looked at
                      // below.
                      continue;
                    }
                    if (made.incrementAndGet() == 40) {
                      dying.destroyForcibly();
                    }
                  }
                }));
      }
      for (Future<?> client : clients) {
        client.get(120, TimeUnit.SECONDS);
      }
    }
    dying.destroyForcibly().waitFor();
    assertThat(made.get()).isGreaterThanOrEqualTo(80);
    assertThat(claims(b)).isEqualTo(addresses(b));
    b.services().inNamespace("default").list().getItems().stream()
        .filter(each -> !each.getMetadata().getName().equals("kubernetes"))
        .forEach(each -> b.resource(each).delete());
    assertThat(claims(b)).hasSize(1).isEqualTo(addresses(b));
  }

  /// Service by address, as the Services say.
  private static Map<String, String> addresses(KubernetesClient client) {
    Map<String, String> found = new TreeMap<>();
    for (Service each : client.services().inAnyNamespace().list().getItems()) {
      String name = each.getMetadata().getNamespace() + "/" + each.getMetadata().getName();
      assertThat(found.put(each.getSpec().getClusterIP(), name)).isNull();
    }
    return found;
  }

  /// Service by address, as the claims say.
  private static Map<String, String> claims(KubernetesClient client) {
    Map<String, String> found = new TreeMap<>();
    JsonNode list =
        Json.parse(
            client.raw("/apis/networking.k8s.io/v1/ipaddresses").getBytes(StandardCharsets.UTF_8));
    for (JsonNode each : list.path("items")) {
      JsonNode parent = each.at("/spec/parentRef");
      found.put(
          each.at("/metadata/name").asString(),
          parent.path("namespace").asString() + "/" + parent.path("name").asString());
    }
    return found;
  }

  private static void aLostUpdateIsAConflict(KubernetesClient a, KubernetesClient b) {
    ConfigMap read = a.resource(map("fought", "0")).inNamespace("default").create();
    ConfigMap one = new ConfigMapBuilder(read).withData(Map.of("k", "a")).build();
    ConfigMap two = new ConfigMapBuilder(read).withData(Map.of("k", "b")).build();
    ConfigMap won = a.resource(one).update();
    assertThat(won.getData()).containsEntry("k", "a");
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> b.resource(two).update()))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(409));
    assertThat(b.configMaps().inNamespace("default").withName("fought").get()).isEqualTo(won);
  }

  private record Names(List<String> seen) implements Watcher<ConfigMap> {
    @Override
    public void eventReceived(Action action, ConfigMap map) {
      seen.add(action + " " + map.getMetadata().getName());
    }

    @Override
    public void onClose(WatcherException cause) {
      seen.add("closed " + cause);
    }
  }

  private static boolean isReady(KubernetesClient client) {
    return client.raw("/readyz").equals("ok");
  }

  private static ConfigMap map(String name, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withData(Map.of("k", value))
        .build();
  }

  private static Service service(String name) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withType("NodePort")
        .addNewPort()
        .withPort(80)
        .endPort()
        .endSpec()
        .build();
  }

  private static KubernetesClient client(int port) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:" + port)
            .withTrustCerts(true)
            .withDisableHostnameVerification(true)
            .withOauthToken("secret")
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private void server(String name, int port, String etcd, Path tokens) throws IOException {
    launch(
        name,
        FairleadCli.launcher(home).toString(),
        "apiserver",
        "--data-dir=" + home.resolve(name),
        "--bind-address=127.0.0.1",
        "--secure-port=" + port,
        "--etcd-servers=" + etcd,
        "--token-auth-file=" + tokens);
  }

  private static boolean accepts(URI address) {
    try (Socket _ = new Socket(address.getHost(), address.getPort())) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// What the processes said, for a failure.
  private String logs() {
    StringBuilder out = new StringBuilder();
    for (String name : List.of("etcd", "a", "b")) {
      try {
        out.append(name).append(": ").append(Files.readString(home.resolve(name + ".log")));
      } catch (IOException e) {
        out.append(name).append(": no log\n");
      }
    }
    return out.toString();
  }

  private void launch(String name, String... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(home.resolve(name + ".log").toFile());
    builder.environment().put("HOME", home.toString());
    processes.add(builder.start());
  }
}
