package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.testing.DebianImages;
import io.fairlead.kernel.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// A cluster of two nodes with containers, from a joining agent to a lost node. Rows follow one
/// another on the same machines.
@Tag("system")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoNodesTest {
  private static final String IMAGE = "fairlead.test/busybox:1";
  private static final String SERVICE = "10.96.1.175";

  /// How long a node may be silent.
  private static final String GRACE = "40s";

  private static final List<String> NODES = List.of("node-a", "node-b");
  private static final String OBJECTS =
      """
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: who}
      spec:
        selector: {matchLabels: {app: who}}
        template:
          metadata: {labels: {app: who}}
          spec:
            terminationGracePeriodSeconds: 2
            containers:
            - name: c
              image: fairlead.test/busybox:1
              command:
              - sh
              - -c
              - |
                mkdir -p /www/cgi-bin
                printf '#!/bin/sh\\nprintf "Content-Type: text/plain\\\\n\\\\n"\\necho "$NODE $REMOTE_ADDR"\\n' \\
                  > /www/cgi-bin/who
                chmod +x /www/cgi-bin/who
                echo begun on $NODE
                trap 'exit 0' TERM
                httpd -f -p 8080 -h /www & wait
              env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
              ports: [{containerPort: 8080, hostPort: 8088}]
              readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: who}
      spec:
        clusterIP: 10.96.1.175
        selector: {app: who}
        ports: [{port: 80, targetPort: 8080}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: who-here}
      spec:
        clusterIP: 10.96.1.176
        internalTrafficPolicy: Local
        selector: {app: who}
        ports: [{port: 80, targetPort: 8080}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: caller}
      spec:
        nodeName: node-a
        terminationGracePeriodSeconds: 1
        containers: [{name: c, image: "fairlead.test/busybox:1", command: [sleep, "100000"]}]
      """;

  @TempDir static Path home;
  private static NodeLab lab;
  private static final List<List<String>> empty = new ArrayList<>();
  private static Map<String, Who> pods = Map.of();

  @BeforeAll
  static void start() throws IOException {
    lab = new NodeLab(home, NODES);
    for (String node : NODES) {
      empty.add(lab.traces(node));
    }
    lab.startServer(GRACE);
    for (String node : NODES) {
      lab.startAgent(node, "vxlan");
    }
    lab.startProxy("node-a");
    Path archive = home.resolve("busybox.tar");
    Files.write(archive, DebianImages.busybox().archive(IMAGE));
    for (String node : NODES) {
      lab.importImage(node, archive);
      lab.awaitAgent(node);
    }
    Tool.Result applied = lab.kubectl(OBJECTS, "apply", "-f", "-");
    assertThat(applied.exit()).as(applied.error()).isZero();
    awaitReady(2);
    pods = look();
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  private static void awaitReady(int pods) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(lab.get("daemonset/who", "{.status.numberReady}"))
                    .as(() -> lab.kubectl("", "get", "pods,nodes,events", "-o", "wide").output())
                    .isEqualTo(Integer.toString(pods)));
  }

  /// A pod of the DaemonSet. Every row finds the same ones, so they are asked for once.
  ///
  /// @param run uid, containers and restarts: what changes when something was touched
  private record Who(String name, List<String> addresses, String uid, String run) {}

  private static Map<String, Who> look() {
    String template =
        "{range .items[*]}{.spec.nodeName}|{.metadata.name}|{.status.podIPs[*].ip}|{.metadata.uid}|"
            + "{.status.containerStatuses[0].containerID}"
            + " {.status.containerStatuses[0].restartCount}{\"\\n\"}{end}";
    Map<String, Who> found = new TreeMap<>();
    lab.kubectl("", "get", "pods", "-l", "app=who", "-o", "jsonpath=" + template)
        .output()
        .lines()
        .map(line -> line.split("\\|"))
        .forEach(
            part ->
                found.put(
                    part[0], new Who(part[1], List.of(part[2].split(" ")), part[3], part[4])));
    return found;
  }

  private static Who who(String node) {
    return Objects.requireNonNull(pods.get(node));
  }

  private static String pod(String node) {
    return who(node).name();
  }

  private static String address(String node, int family) {
    return who(node).addresses().get(family);
  }

  private static String url(String host, int port) {
    String shown = host.contains(":") ? "[" + host + "]" : host;
    return "http://" + shown + ":" + port + "/cgi-bin/who";
  }

  /// Asks from inside the container of a node's pod.
  private static String fromPod(String node, String url) {
    return fromContainer(pod(node), url);
  }

  /// Asks from inside a container, by `kubectl exec`.
  private static String fromContainer(String pod, String url) {
    Tool.Result result = lab.kubectl("", "exec", pod, "--", "wget", "-qO-", url);
    return spelled(result.output()) + result.error().strip();
  }

  /// httpd writes callers in brackets, those by IPv4 as a kind of IPv6.
  private static String spelled(String answer) {
    return answer.strip().replace("[::ffff:", "").replaceAll("[\\[\\]]", "");
  }

  private static String fromNode(String node, String url) {
    return Tool.inside(lab.node(node), PATIENCE)
        .run("", List.of("curl", "-s", "--max-time", "20", url))
        .output()
        .transform(TwoNodesTest::spelled);
  }

  private static void eventually(java.util.concurrent.Callable<String> question, String answer) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(question.call()).isEqualTo(answer));
  }

  @Test
  @Order(1)
  void everyNodeIsGivenARangeOfItsOwnInBothFamilies() {
    TreeSet<String> ranges = new TreeSet<>();
    for (String node : NODES) {
      String[] given = lab.get("node/" + node, "{.spec.podCIDRs[*]}").split(" ");
      assertThat(given).hasSize(2);
      assertThat(given[0]).startsWith("10.244.").endsWith(".0/24");
      assertThat(given[1]).startsWith("fd00:244:").endsWith("::/64");
      ranges.addAll(List.of(given));
      assertThat(lab.get("node/" + node, "{.status.addresses[0].address}"))
          .isEqualTo(lab.address(node));
    }
    assertThat(ranges).hasSize(4);
  }

  @Test
  @Order(2)
  void n69ContainersReachEachOtherThroughTunnels() {
    reachEachOther();
    assertThat(NodeLab.shell(lab.node("node-a"), "ip route")).contains("dev fl.1 proto 241 onlink");
    assertThat(lab.kubectl("", "exec", pod("node-a"), "--", "ip", "link").output())
        .contains("mtu 1450");
  }

  private static void reachEachOther() {
    for (int family : new int[] {0, 1}) {
      for (String node : NODES) {
        String other = node.equals("node-a") ? "node-b" : "node-a";
        String target = url(address(other, family), 8080);
        String self = address(node, family);
        eventually(() -> fromPod(node, target), other + " " + self);
      }
    }
  }

  @Test
  @Order(3)
  void aServiceLeadsToPodsOfBothNodesAndAHostPortToTheNodesOwn() {
    TreeSet<String> answered = new TreeSet<>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              answered.add(fromNode("node-a", url(SERVICE, 80)).split(" ")[0]);
              answered.remove("");
              return answered.containsAll(NODES);
            });
    assertThat(answered).containsExactlyElementsOf(NODES);
    String port = url(lab.address("node-b"), 8088);
    assertThat(fromNode("node-a", port)).isEqualTo("node-b " + lab.address("node-a"));
  }

  /// With a cable for each pod it does not matter what bridges are told.
  @Test
  @Order(4)
  void n71PodsReachEachOtherOfTheSameNodeAndThemselvesByService() {
    String service = url("10.96.1.176", 80);
    await()
        .atMost(PATIENCE)
        .until(() -> lab.get("pod/caller", "{.status.phase}").equals("Running"));
    String caller = lab.get("pod/caller", "{.status.podIP}");
    for (int shown : new int[] {0, 1}) {
      NodeLab.shell(
          lab.node("node-a"),
          "cd /proc/sys/net; if [ -e bridge ]; then echo %d > bridge/bridge-nf-call-iptables; fi"
              .formatted(shown));
      eventually(() -> fromContainer("caller", service), "node-a " + caller);
      // The pod is told the node's address in the place of its own.
      eventually(() -> fromPod("node-a", service).split(" ")[0], "node-a");
    }
  }

  @Test
  @Order(5)
  void kubectlReachesIntoContainersOfBothNodes() {
    for (String node : NODES) {
      assertThat(lab.kubectl("", "logs", pod(node)).output()).contains("begun on " + node);
      Tool.Result result = lab.kubectl("", "exec", pod(node), "--", "sh", "-c", "exit 7");
      assertThat(result.exit()).as(result.error()).isEqualTo(7);
    }
  }

  @Test
  @Order(6)
  void n69ContainersReachEachOtherByRoutesOnceTheAgentsAreToldSo() throws Exception {
    for (String node : NODES) {
      lab.stop(node);
      lab.startAgent(node, "routes");
    }
    for (String node : NODES) {
      lab.awaitAgent(node);
    }
    String range = lab.get("node/node-b", "{.spec.podCIDR}");
    eventually(
        () -> NodeLab.shell(lab.node("node-a"), "ip -o route show " + range),
        range + " via " + lab.address("node-b") + " dev eth0 proto 241");
    reachEachOther();
    assertThat(NodeLab.shell(lab.node("node-a"), "ip -o link")).doesNotContain("fl.1");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(lab.get("node/node-a", "{.metadata.annotations}"))
                    .doesNotContain("fairlead.dev/vtep"));
    assertThat(look()).isEqualTo(pods);
  }

  @Test
  @Order(7)
  void n64AndN65UnderLoadNoContainerNoticesThatAgentEngineOrServerAreKilled() throws Exception {
    List<String> before = lab.traces("node-b");
    try (SteadyLoad load = new SteadyLoad(home, lab.node("node-a"), SERVICE)) {
      load.goOn();
      lab.kill("node-b");
      load.goOn();
      lab.startAgent("node-b", "routes");
      lab.awaitAgent("node-b");
      load.goOn();

      ProcessHandle engine = lab.containerd("node-b").orElseThrow();
      engine.destroyForcibly();
      await().atMost(PATIENCE).until(() -> !engine.isAlive());
      load.goOn();
      await().atMost(PATIENCE).until(() -> lab.containerd("node-b").isPresent());

      lab.kill("server");
      load.goOn();
      lab.startServer(GRACE);
      load.goOn();
      // One that comes later shows that everything works again.
      assertThat(lab.kubectl(later(), "apply", "-f", "-").exit()).isZero();
      await()
          .atMost(PATIENCE)
          .until(() -> lab.get("pod/later", "{.status.phase}").equals("Succeeded"));
      load.goOn();
    }
    assertThat(look()).isEqualTo(pods);
    String uid = lab.get("pod/later", "{.metadata.uid}");
    lab.kubectl("", "delete", "pod/later");
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(lab.traces("node-b")).isEqualTo(before));
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(NodeLab.cgroups(uid)).isEmpty());
  }

  private static String later() {
    return """
        apiVersion: v1
        kind: Pod
        metadata: {name: later}
        spec:
          nodeName: node-b
          restartPolicy: Never
          containers: [{name: c, image: "%s", command: ["true"]}]
        """
        .formatted(IMAGE);
  }

  @Test
  @Order(8)
  void nl1ALostNodesPodsLeaveTheService() throws Exception {
    lab.kill("node-b");
    lab.disconnect("node-b");
    // Less patience than before, when a busy machine must not cost a node its pods.
    lab.stop("server");
    lab.startServer("20s");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        lab.get("node/node-b", "{.status.conditions[?(@.type==\"Ready\")].status}"))
                    .isEqualTo("Unknown"));
    eventually(
        () ->
            lab.get(
                "endpointslices",
                "{.items[*].endpoints[?(@.nodeName==\"node-b\")].conditions.ready}"),
        "false false");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              for (int i = 0; i < 10; i++) {
                assertThat(fromNode("node-a", url(SERVICE, 80))).startsWith("node-a ");
              }
            });
  }

  @Test
  @Order(9)
  void n77NothingIsLeftBehind() throws Exception {
    lab.stop("proxy-node-a");
    lab.stop("node-a");
    // With the tunnel there is more to take away.
    lab.startAgent("node-a", "vxlan");
    lab.awaitAgent("node-a");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(NodeLab.shell(lab.node("node-a"), "ip -o link")).contains("fl.1"));
    lab.stop("node-a");
    for (int i = 0; i < NODES.size(); i++) {
      String node = NODES.get(i);
      assertThat(lab.cleanUp(node)).as(lab.said("cleanup-" + node)).isZero();
      assertThat(lab.traces(node)).isEqualTo(empty.get(i));
      assertThat(NodeLab.cgroups(who(node).uid())).isEmpty();
    }
  }
}
