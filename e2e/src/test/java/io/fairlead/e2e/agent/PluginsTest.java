package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeInstance.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.testing.DebianImages;
import io.fairlead.e2e.kubectl.Kubectl;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// A node whose pods get their network from CNI plugins that another program sets up, here the
/// plugin `bridge`. Rows follow one another on the same machine.
@Tag("system")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PluginsTest {
  private static final String IMAGE = "fairlead.test/busybox:1";
  private static final String TO_ITSELF = "10.96.7.1";
  private static final String TO_THE_OTHER = "10.96.7.2";
  private static final String NOBODY = "nobody answers";
  private static final String SETTING = "/proc/sys/net/bridge/bridge-nf-call-iptables";

  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: one}
      spec: {clusterIP: 10.96.7.1, selector: {pod: one}, ports: [{port: 80, targetPort: 8080}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: two}
      spec: {clusterIP: 10.96.7.2, selector: {pod: two}, ports: [{port: 80, targetPort: 8080}]}
      """;

  private static final String POD =
      """
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: %1$s, labels: {pod: %1$s}}
      spec:
        nodeName: fairlead
        hostNetwork: %2$s
        terminationGracePeriodSeconds: 1
        containers:
        - name: c
          image: fairlead.test/busybox:1
          command: [sh, -c, "echo %1$s > /tmp/index.html; exec httpd -f -p 8080 -h /tmp"]
          readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}
      """;

  private static final String BRIDGE =
      """
      {"cniVersion": "0.4.0", "name": "lesson", "plugins": [{"type": "bridge", "bridge": "cni0",
        "isGateway": true, "isDefaultGateway": true, "ipMasq": false, "hairpinMode": true,
        "ipam": {"type": "host-local", "dataDir": "%s",
          "ranges": [[{"subnet": "10.244.0.0/24"}]]}}]}
      """;

  @TempDir static Path home;
  private static NodeInstance instance;
  private static String kubectl;

  @BeforeAll
  static void start() throws IOException {
    List<Path> installed = Kubectl.installed();
    kubectl = installed.isEmpty() ? "kubectl" : installed.getLast().toString();
    Path settings = Files.createDirectories(home.resolve("cni"));
    instance =
        new NodeInstance(
            home, "--runtime=cri", "--containerd=private", "--cni-conf-dir=" + settings);
    Path archive = home.resolve("busybox.tar");
    Files.write(archive, DebianImages.busybox().archive(IMAGE));
    Path socket = instance.data().resolve("agent/containerd/containerd.sock");
    must(
        CommandRunner.here(PATIENCE)
            .run(
                "",
                List.of(
                    "ctr",
                    "-a",
                    socket.toString(),
                    "-n",
                    "k8s.io",
                    "images",
                    "import",
                    archive.toString())));
    must(
        kubectl(
            OBJECTS
                + POD.formatted("one", false)
                + POD.formatted("two", false)
                + POD.formatted("on-the-node", true),
            "apply",
            "-f",
            "-"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (instance == null) {
      return;
    }
    try {
      CommandRunner.Result down = instance.fairlead("down");
      assertThat(down.output()).contains("stopped");
      assertThat(onNode("ip -o link; ip route")).doesNotContain("veth");
    } finally {
      instance.close();
    }
  }

  private static CommandRunner.Result must(CommandRunner.Result result) {
    assertThat(result.exit()).as(result.output() + result.error()).isZero();
    return result;
  }

  private static CommandRunner.Result kubectl(String input, String... words) {
    List<String> line =
        new ArrayList<>(List.of(kubectl, "--kubeconfig=" + instance.kubeconfig(), "-n", "default"));
    line.addAll(List.of(words));
    return instance.run(input, line);
  }

  private static String get(String what, String path) {
    return kubectl("", "get", what, "-o", "jsonpath=" + path).output();
  }

  private static String onNode(String script) {
    return must(instance.run(script, List.of("sh", "-e"))).output();
  }

  private static String ready(String what) {
    return get(what, "{.status.conditions[?(@.type==\"Ready\")].status}");
  }

  private static void awaitReady(String what) {
    await(what)
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(ready(what))
                    .as(() -> kubectl("", "get", "pods,events").output())
                    .isEqualTo("True"));
  }

  @Test
  @Order(1)
  void n67WithoutPluginsTheNodeIsNotReadyAndOnlyPodsOfTheNodesNetworkRun() {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(ready("node/fairlead")).isEqualTo("False"));
    assertThat(get("node/fairlead", "{.status.conditions[?(@.type==\"Ready\")].message}"))
        .isEqualTo(
            "container runtime network not ready: NetworkReady=false"
                + " reason:NetworkPluginNotReady message:Network plugin returns error: cni plugin"
                + " not initialized");
    awaitReady("pod/on-the-node");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        get(
                            "events",
                            "{.items[?(@.reason==\"NetworkNotReady\")].involvedObject.name}"))
                    .contains("one", "two")
                    .doesNotContain("on-the-node"));
    assertThat(get("pod/one", "{.status.phase} {.status.podIP}")).isEqualTo("Pending ");
  }

  @Test
  @Order(2)
  void n67OncePluginsAreSetUpTheNodeIsReadyAndPodsStart() throws IOException {
    // containerd notices renames inside the directory, not files that come from elsewhere.
    Path next = home.resolve("cni/next");
    Files.writeString(next, BRIDGE.formatted(home.resolve("addresses")));
    Files.move(next, home.resolve("cni/10-lesson.conflist"), StandardCopyOption.ATOMIC_MOVE);
    awaitReady("node/fairlead");
    awaitReady("pod/one");
    awaitReady("pod/two");
    assertThat(onNode("ip -o link show master cni0")).contains("veth");
  }

  /// What the first pod gets by a Service, within some seconds.
  private static String fromOne(String service) {
    String script = "timeout 4 wget -qO- http://" + service + " || echo " + NOBODY;
    return kubectl("", "exec", "one", "--", "sh", "-c", script).output().strip();
  }

  private static void eventually(String service, String answer) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(fromOne(service)).isEqualTo(answer));
  }

  /// Whether packets between ports of a bridge are shown to the packet filter.
  private static void shown(boolean on) {
    assumeThat(onNode("test -e " + SETTING + " && echo there || true"))
        .as("this kernel has br_netfilter")
        .isNotBlank();
    onNode("echo " + (on ? 1 : 0) + " > " + SETTING);
  }

  private static void hairpin(boolean on) {
    onNode(
        """
        for port in $(ip -o link show master cni0 | sed 's/^[0-9]*: \\([^@:]*\\).*/\\1/'); do
          bridge link set dev $port hairpin %s
        done
        """
            .formatted(on ? "on" : "off"));
  }

  @Test
  @Order(3)
  void n71BehindABridgePodsReachEachOtherAndThemselvesByServiceWhenItShowsPackets()
      throws IOException {
    shown(true);
    eventually(TO_THE_OTHER, "two");
    eventually(TO_ITSELF, "one");
    assertThat(instance.fairlead("doctor").output())
        .contains("✓ net.bridge.bridge-nf-call-iptables=1");
  }

  @Test
  @Order(4)
  void n71WithoutThatAnswersGoAstrayAndDoctorNamesTheSetting() throws IOException {
    shown(false);
    assertThat(fromOne(TO_THE_OTHER)).isEqualTo(NOBODY);
    assertThat(instance.fairlead("doctor").output())
        .contains("net.bridge.bridge-nf-call-iptables=0: pods behind cni0 do not reach Services");
    assertThat(instance.fairlead("doctor", "--fix").output())
        .contains("net.bridge.bridge-nf-call-iptables=1, was 0");
    eventually(TO_THE_OTHER, "two");
  }

  @Test
  @Order(5)
  void n71APodReachesItselfOnlyThroughAPortThatSendsBack() {
    shown(true);
    hairpin(false);
    assertThat(fromOne(TO_ITSELF)).isEqualTo(NOBODY);
    eventually(TO_THE_OTHER, "two");
    hairpin(true);
    eventually(TO_ITSELF, "one");
  }
}
