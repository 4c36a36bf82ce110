package io.fairlead.e2e.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.e2e.FairleadCli;
import io.fairlead.e2e.originals.OriginalPrograms;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Fairlead's own API server with its controllers, objects written by kubectl, and the proxy under
/// the name and with the configuration file of kube-proxy: from `kubectl apply` to an answer over
/// HTTP through the cluster IP and the node port.
@Tag("system")
class WholeClusterTest {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /// A line of the original's log that complains of the API.
  private static final Pattern API_ERROR =
      Pattern.compile("^E.*(reflector|event_broadcaster|node)");

  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Node
      metadata: {name: node-a}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: default}
      spec:
        type: NodePort
        selector: {app: web}
        ports: [{port: 80, targetPort: 8080, nodePort: 30080}]
      """;
  private static final String CONFIGURATION =
      """
      apiVersion: kubeproxy.config.k8s.io/v1alpha1
      kind: KubeProxyConfiguration
      clientConnection: {kubeconfig: "%s"}
      hostnameOverride: node-a
      mode: %s
      clusterCIDR: 10.64.0.0/14
      nodePortAddresses: [192.0.2.0/24]
      healthzBindAddress: 127.0.0.1:10256
      metricsBindAddress: 127.0.0.1:10249
      conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
      """;

  @TempDir Path home;
  private NodeTestbed node;
  private Path launcher;
  private final List<Process> processes = new ArrayList<>();
  private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();

  @BeforeEach
  void build() throws IOException {
    node = new NodeTestbed("flwc" + ProcessHandle.current().pid());
    launcher = FairleadCli.launcher(home);
    Files.createSymbolicLink(launcher.resolveSibling("kube-proxy"), launcher);
  }

  @AfterEach
  void end() throws InterruptedException {
    heart.shutdownNow();
    heart.awaitTermination(1, TimeUnit.MINUTES);
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
    node.close();
  }

  private Process start(String log, String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", node.namespace().name()));
    command.addAll(List.of(words));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.resolve(log).toFile()));
    builder.environment().put("HOME", home.toString());
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private static Optional<String> kubectl() {
    return Optional.ofNullable(System.getenv("FAIRLEAD_TEST_KUBECTL"))
        .filter(text -> !text.isEmpty())
        .or(() -> CommandRunner.find("kubectl"));
  }

  private CommandRunner.Result kubectl(String input, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                kubectl().orElseThrow(),
                "--kubeconfig=" + kubeconfig(),
                "--cache-dir=" + home.resolve("cache")));
    command.addAll(List.of(words));
    return node.inside().run(input, command);
  }

  private Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  private void must(CommandRunner.Result result) {
    assertThat(result.exit()).as(result.output() + result.error()).isZero();
  }

  private void startCluster() throws IOException {
    start(
        "up.log",
        launcher.toString(),
        "up",
        "--foreground",
        "--api-port=16443",
        "--agent=off",
        "--data-dir=" + home.resolve("data"),
        "--kubeconfig=" + kubeconfig());
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> {
              assertThat(kubeconfig()).as(log("up.log")).exists();
              must(kubectl("", "get", "--raw=/readyz"));
            });
  }

  private String log(String name) throws IOException {
    Path file = home.resolve(name);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  /// The node shows that it is alive, as its agent would: otherwise its pods were given up.
  private void beat() {
    String lease =
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: node-a, namespace: kube-node-lease}
        spec: {holderIdentity: node-a, leaseDurationSeconds: 40, renewTime: "%s"}
        """
            .formatted(Instant.now().plusNanos(1000).truncatedTo(ChronoUnit.MICROS));
    kubectl(lease, "apply", "--server-side", "--force-conflicts", "-f", "-");
  }

  /// A pod as its agent would report it: the program runs and is ready.
  private void pod(String name, String address) throws IOException {
    String pod =
        """
        {"apiVersion":"v1","kind":"Pod",
         "metadata":{"name":"%1$s","namespace":"default","labels":{"app":"web"}},
         "spec":{"nodeName":"node-a","containers":[{"name":"web","image":"web"}]%2$s}
        """;
    must(kubectl(pod.formatted(name, "") + "}", "apply", "-f", "-"));
    Path status = home.resolve(name + ".json");
    Files.writeString(
        status,
        pod.formatted(name, "")
            + """
              ,"status":{"phase":"Running","podIP":"%1$s","podIPs":[{"ip":"%1$s"}],
              "conditions":[{"type":"Ready","status":"True"}]}}
              """
                .formatted(address));
    must(
        kubectl(
            "",
            "replace",
            "--raw=/api/v1/namespaces/default/pods/" + name + "/status",
            "-f",
            status.toString()));
  }

  private Process startProxy(String mode) throws IOException {
    Path file =
        Files.writeString(home.resolve("proxy.yaml"), CONFIGURATION.formatted(kubeconfig(), mode));
    return start("proxy.log", launcher.resolveSibling("kube-proxy").toString(), "--config=" + file);
  }

  private Set<String> answers(String host, int port) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      seen.add(node.get(host, port));
    }
    return seen;
  }

  private void awaitAnswers(String host, int port, String... expected) throws IOException {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(answers(host, port))
                    .as(log("proxy.log"))
                    .containsExactlyInAnyOrder(expected));
  }

  @Test
  void fromKubectlApplyToAnAnswer() throws Exception {
    assumeThat(kubectl()).as("kubectl is installed").isPresent();
    startCluster();
    must(kubectl(OBJECTS, "apply", "-f", "-"));
    heart.scheduleWithFixedDelay(this::beat, 0, 10, TimeUnit.SECONDS);
    String address =
        kubectl("", "get", "service", "web", "-o", "jsonpath={.spec.clusterIP}").output();
    Process proxy = startProxy("nftables");
    pod("web-1", NodeTestbed.PODS.get(0));
    pod("web-2", NodeTestbed.PODS.get(1));
    awaitAnswers(address, 80, NodeTestbed.PODS.get(0), NodeTestbed.PODS.get(1));
    awaitAnswers(NodeTestbed.ADDRESS, 30080, NodeTestbed.PODS.get(0), NodeTestbed.PODS.get(1));
    must(kubectl("", "delete", "pod", "web-2", "--grace-period=0", "--force"));
    awaitAnswers(address, 80, NodeTestbed.PODS.get(0));

    CommandRunner.Result agrees = rules("--diff");
    assertThat(agrees.exit()).as(agrees.output() + agrees.error()).isZero();
    assertThat(agrees.output()).contains("nftables IPv4", "new connections");

    must(CommandRunner.here(LIMIT).run("", List.of("sh", "-c", "kill -USR1 " + proxy.pid())));
    await().atMost(LIMIT).until(() -> log("proxy.log").contains("CLUSTER_IP " + address + ":80"));

    // The file says another mode: the process ends, and its successor takes over.
    startSuccessor(proxy);
    awaitAnswers(address, 80, NodeTestbed.PODS.get(0));
    await()
        .atMost(LIMIT)
        .until(
            () ->
                node.inside()
                    .run("", List.of("iptables-save", "-t", "nat"))
                    .output()
                    .contains("default/web cluster IP"));
    must(kubectl("", "delete", "service", "web"));
    await()
        .atMost(LIMIT)
        .until(
            () ->
                !node.inside().run("", List.of("iptables-save")).output().contains("default/web"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"nftables", "iptables"})
  void theOriginalProxyWorksOnOurServer(String mode) throws Exception {
    assumeThat(kubectl()).as("kubectl is installed").isPresent();
    String program = OriginalPrograms.require("kube-proxy");
    startCluster();
    must(kubectl(OBJECTS, "apply", "-f", "-"));
    nodeAddress();
    heart.scheduleWithFixedDelay(this::beat, 0, 10, TimeUnit.SECONDS);
    String address =
        kubectl("", "get", "service", "web", "-o", "jsonpath={.spec.clusterIP}").output();
    Path file =
        Files.writeString(home.resolve("proxy.yaml"), CONFIGURATION.formatted(kubeconfig(), mode));
    Process _ = start("proxy.log", program, "--config=" + file);
    pod("web-1", NodeTestbed.PODS.get(0));
    pod("web-2", NodeTestbed.PODS.get(1));
    awaitAnswers(address, 80, NodeTestbed.PODS.get(0), NodeTestbed.PODS.get(1));
    awaitAnswers(NodeTestbed.ADDRESS, 30080, NodeTestbed.PODS.get(0), NodeTestbed.PODS.get(1));
    must(kubectl("", "delete", "pod", "web-2", "--grace-period=0", "--force"));
    awaitAnswers(address, 80, NodeTestbed.PODS.get(0));
    assertThat(log("proxy.log").lines().filter(line -> API_ERROR.matcher(line).find())).isEmpty();
  }

  /// The original waits for the address of its node.
  private void nodeAddress() throws IOException {
    Path status = home.resolve("node.json");
    Files.writeString(
        status,
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-a"},
         "status":{"addresses":[{"type":"InternalIP","address":"%s"}]}}
        """
            .formatted(NodeTestbed.ADDRESS));
    must(kubectl("", "replace", "--raw=/api/v1/nodes/node-a/status", "-f", status.toString()));
  }

  private CommandRunner.Result rules(String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                launcher.toString(),
                "rules",
                "svc/web",
                "--node=node-a",
                "--kubeconfig=" + kubeconfig()));
    command.addAll(List.of(more));
    return node.inside().run("", command);
  }

  private void startSuccessor(Process proxy) throws IOException, InterruptedException {
    Files.writeString(
        home.resolve("proxy.yaml"), CONFIGURATION.formatted(kubeconfig(), "iptables"));
    assertThat(proxy.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
    assertThat(proxy.exitValue()).isEqualTo(1);
    assertThat(log("proxy.log")).contains("the configuration file has changed");
    startProxy("iptables");
  }
}
