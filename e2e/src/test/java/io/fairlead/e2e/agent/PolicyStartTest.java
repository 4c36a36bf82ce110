package io.fairlead.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.lifecycle.PolicyWaitMode;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.tls.ClientIdentity;
import io.fairlead.client.tls.Trust;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.e2e.TestServer;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.policy.runtime.PolicyDaemon;
import io.fairlead.policy.runtime.PolicyOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pod of a selected namespace has no open moment: when the policy component runs, starts late,
/// or is dead.
@Tag("system")
class PolicyStartTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DENY =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: closed}
      ---
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: deny-all, namespace: closed}
      spec: {podSelector: {}, policyTypes: [Ingress, Egress]}
      """;

  /// Serves, and calls all addresses of the range from its first moment on.
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, namespace: %s}
      spec:
        nodeName: node-a
        terminationGracePeriodSeconds: 0
        initContainers:
        - {name: first, image: "fairlead.dev/shell:1.0", command: [sh, -c, "%s"]}
        containers:
        - {name: serves, image: "fairlead.dev/hostnames:1.0"}
      """;

  private static final String CALL_ALL =
      "curl -s -Z --max-time 1 'http://10.244.9.[2-30]:9376/' 2>/dev/null; true";

  @TempDir static Path directory;
  private static NetworkNamespace node;
  private static TestServer server;
  private static Client client;
  private @Nullable PolicyDaemon daemon;

  @BeforeAll
  static void start() {
    node = TestNode.machine("pol");
    server =
        TestServer.withNode(
            directory,
            TestNode.options(node, directory.resolve("agent"))
                .policyWait(PolicyWaitMode.ON)
                .build());
    server.writeKubeconfig(directory.resolve("config"));
    client =
        new Client(
            new SocketTransport(
                ClientConfig.of(
                    server.url(), new Trust.Anyone(), new ClientIdentity.Token(server.token())),
                "e2e/1"));
    apply(DENY);
  }

  @AfterAll
  static void stop() {
    try {
      client.close();
      server.close();
    } finally {
      node.delete();
    }
  }

  @AfterEach
  void clean() {
    kubectl("", "delete", "pods", "--all", "-n", "default");
    kubectl("", "delete", "pods", "--all", "-n", "closed");
    if (daemon != null) {
      daemon.close();
      node.run(PolicyDaemon::removeTables);
      PolicyDaemon.removeReport(client, "node-a");
    }
  }

  private void launch() {
    daemon =
        node.call(
            () -> {
              PolicyDaemon made =
                  new PolicyDaemon(PolicyOptions.of("node-a"), client, InstantSource.system());
              made.start();
              return made;
            });
  }

  private static CommandRunner.Result kubectl(String input, String... words) {
    List<String> command =
        new ArrayList<>(List.of("kubectl", "--kubeconfig=" + directory.resolve("config")));
    command.addAll(List.of(words));
    return CommandRunner.here(PATIENCE).run(input, command);
  }

  private static void apply(String yaml) {
    CommandRunner.Result result = kubectl(yaml, "apply", "-f", "-");
    assertThat(result.exit()).as(result.error()).isZero();
  }

  private static String get(String namespace, String what, String path) {
    return kubectl("", "get", what, "-n", namespace, "-o", "jsonpath=" + path).output();
  }

  private static void awaitPhase(String namespace, String pod, String phase) {
    await()
        .atMost(PATIENCE)
        .until(() -> get(namespace, "pod/" + pod, "{.status.phase}").equals(phase));
  }

  private static String events(String pod) {
    return get(
        "closed",
        "events",
        "{range .items[?(@.involvedObject.name==\"" + pod + "\")]}{.reason} {end}");
  }

  private static void create(String namespace, String name, String command) {
    apply(POD.formatted(name, namespace, command));
  }

  @Test
  void pv73AndPx2NoPacketPassesWhileAPodOfASelectedNamespaceStarts() {
    launch();
    create("default", "open", "true");
    awaitPhase("default", "open", "Running");
    create("default", "prober", "for i in $(seq 40); do " + CALL_ALL + "; done");
    List<String> closed = List.of("c1", "c2", "c3", "c4", "c5");
    closed.forEach(name -> create("closed", name, CALL_ALL + ";" + CALL_ALL));
    closed.forEach(name -> awaitPhase("closed", name, "Running"));
    for (String name : closed) {
      String address = get("closed", "pod/" + name, "{.status.podIP}");
      assertThat(run("curl", "-s", "--max-time", "20", "http://" + address + ":9376/"))
          .as("the node reaches its pod")
          .isEqualTo(name);
      assertThat(kubectl("", "logs", name, "-c", "first", "-n", "closed").output())
          .as("what " + name + " reached")
          .isEmpty();
    }
    assertThat(kubectl("", "logs", "prober", "-c", "first", "-n", "default").output())
        .as("what reached the pods")
        .contains("open")
        .doesNotContain(closed);
  }

  private static String run(String... command) {
    return CommandRunner.inside(node, PATIENCE).run("", List.of(command)).output().strip();
  }

  @Test
  void pv74APodIsHeldUntilTheComponentStarts() {
    create("closed", "held", CALL_ALL);
    await().atMost(PATIENCE).until(() -> events("held").contains("PolicyNotReady"));
    assertThat(get("closed", "pod/held", "{.status.initContainerStatuses[0].state}"))
        .contains("waiting");
    assertThat(get("closed", "pod/held", "{.status.podIP}")).isNotEmpty();
    launch();
    awaitPhase("closed", "held", "Running");
    assertThat(kubectl("", "logs", "held", "-c", "first", "-n", "closed").output()).isEmpty();
  }

  @Test
  void aPodThatStartsAfterTheComponentDiedStaysClosed() {
    launch();
    create("default", "open", "true");
    awaitPhase("default", "open", "Running");
    Objects.requireNonNull(daemon).close();
    create("closed", "late", CALL_ALL + ";" + CALL_ALL);
    awaitPhase("closed", "late", "Running");
    assertThat(events("late")).contains("PolicyLate");
    assertThat(kubectl("", "logs", "late", "-c", "first", "-n", "closed").output()).isEmpty();
    create("default", "new", CALL_ALL);
    awaitPhase("default", "new", "Running");
    assertThat(kubectl("", "logs", "new", "-c", "first", "-n", "default").output())
        .as("also one that no policy selects, until it is known")
        .isEmpty();
    launch();
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                CommandRunner.inside(node, PATIENCE)
                    .run("", List.of("nft", "list", "set", "ip", "fairlead-policy", "pods"))
                    .output()
                    .contains(get("default", "pod/new", "{.status.podIP}")));
  }
}
