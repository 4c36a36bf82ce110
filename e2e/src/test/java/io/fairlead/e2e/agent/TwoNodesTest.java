package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.testing.DebianImages;
import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A cluster of two nodes with containers, from a joining agent to a lost node. Rows follow one
/// another on the same machines.
@Tag("system")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TwoNodesTest {

  /// How long a node may be silent.
  private static final String GRACE = "40s";

  private static final List<String> NODES = List.of("node-a", "node-b");

  /// Nothing listens where it leads.
  private static final String DEAF =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: deaf}
      spec: {selector: {app: who}, ports: [{port: 80, targetPort: 8081}]}
      """;

  @TempDir static Path home;
  private static NodeLab lab;
  private static WhoPods pods;
  private static final List<List<String>> empty = new ArrayList<>();

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
    Files.write(archive, DebianImages.busybox().archive(WhoPods.IMAGE));
    for (String node : NODES) {
      lab.importImage(node, archive);
      lab.awaitAgent(node);
    }
    pods = WhoPods.apply(lab, NODES.size());
  }

  @AfterAll
  static void stop() {
    lab.close();
  }

  private static void eventually(Callable<String> question, String answer) {
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
    assertThat(lab.kubectl("", "exec", pods.on("node-a").name(), "--", "ip", "link").output())
        .contains("mtu 1450");
  }

  private static void reachEachOther() {
    for (int family : new int[] {0, 1}) {
      for (String node : NODES) {
        String other = node.equals("node-a") ? "node-b" : "node-a";
        String target = WhoPods.url(pods.on(other).addresses().get(family), 8080);
        String self = pods.on(node).addresses().get(family);
        eventually(() -> pods.askFromPod(node, target), other + " " + self);
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
              answered.add(
                  pods.askFromNode("node-a", WhoPods.url(WhoPods.SERVICE, 80)).split(" ")[0]);
              answered.remove("");
              return answered.containsAll(NODES);
            });
    assertThat(answered).containsExactlyElementsOf(NODES);
    String port = WhoPods.url(lab.address("node-b"), 8088);
    assertThat(pods.askFromNode("node-a", port)).isEqualTo("node-b " + lab.address("node-a"));
  }

  /// With a cable for each pod it does not matter what bridges are told.
  @Test
  @Order(4)
  void n71PodsReachEachOtherOfTheSameNodeAndThemselvesByService() {
    String service = WhoPods.url(WhoPods.SERVICE_HERE, 80);
    await()
        .atMost(PATIENCE)
        .until(() -> lab.get("pod/caller", "{.status.phase}").equals("Running"));
    String caller = lab.get("pod/caller", "{.status.podIP}");
    for (int shown : new int[] {0, 1}) {
      NodeLab.shell(
          lab.node("node-a"),
          "cd /proc/sys/net; if [ -e bridge ]; then echo %d > bridge/bridge-nf-call-iptables; fi"
              .formatted(shown));
      eventually(() -> pods.askFrom("caller", service), "node-a " + caller);
      // The pod is told the node's address in the place of its own.
      eventually(() -> pods.askFromPod("node-a", service).split(" ")[0], "node-a");
    }
  }

  @Test
  @Order(5)
  void kubectlReachesIntoContainersOfBothNodes() {
    for (String node : NODES) {
      assertThat(lab.kubectl("", "logs", pods.on(node).name()).output())
          .contains("begun on " + node);
      CommandRunner.Result result =
          lab.kubectl("", "exec", pods.on(node).name(), "--", "sh", "-c", "exit 7");
      assertThat(result.exit()).as(result.error()).isEqualTo(7);
    }
  }

  /// The API server asks the node of the client, and that of the endpoint for what waits there.
  @Test
  @Order(6)
  void aTraceFollowsAConnectionToAPodOfTheOtherNode() throws Exception {
    lab.startProxy("node-b");
    String there = pods.on("node-b").addresses().getFirst();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              CommandRunner.Result ready = lab.fairlead("wait", "svc/who", "--timeout=20s");
              assertThat(ready.output()).as(ready.error()).contains(" 2 of 2 nodes ");
            });
    CommandRunner.Result reached =
        lab.fairlead("trace", "pod/caller", "to", "svc/who", "--to=" + there, "-o", "json");
    assertThat(reached.exit()).as(reached.output() + reached.error()).isZero();
    JsonNode trace = Json.parse(reached.output().getBytes(StandardCharsets.UTF_8));
    assertThat(Json.textOr(trace, "", "endpoint", "node")).isEqualTo("node-b");
    assertThat(Json.textOr(trace, "", "endpoint", "pod")).isEqualTo(pods.on("node-b").name());
    assertThat(trace.path("hops").valueStream().map(hop -> Json.textOr(hop, "", "node")))
        .startsWith("node-a")
        .endsWith("node-b");

    assertThat(lab.kubectl(DEAF, "apply", "-f", "-").exit()).isZero();
    assertThat(lab.fairlead("wait", "svc/deaf", "--timeout=60s").exit()).isZero();
    CommandRunner.Result refused =
        lab.fairlead("trace", "pod/caller", "to", "svc/deaf", "--to=" + there);
    assertThat(refused.exit()).as(refused.output() + refused.error()).isEqualTo(3);
    assertThat(refused.output()).contains("nothing listens on 8081/TCP; open: 8080/TCP", "FL123");
    lab.kubectl("", "delete", "service", "deaf");
    lab.stop("proxy-node-b");
  }

  @Test
  @Order(7)
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
    pods.assertUntouched();
  }

  @Test
  @Order(8)
  void n64AndN65UnderLoadNoContainerNoticesThatAgentEngineOrServerAreKilled() throws Exception {
    List<String> before = lab.traces("node-b");
    try (SteadyLoad load = new SteadyLoad(home, lab.node("node-a"), WhoPods.SERVICE)) {
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
    pods.assertUntouched();
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
        .formatted(WhoPods.IMAGE);
  }

  @Test
  @Order(9)
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
                assertThat(pods.askFromNode("node-a", WhoPods.url(WhoPods.SERVICE, 80)))
                    .startsWith("node-a ");
              }
            });
  }

  @Test
  @Order(10)
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
      assertThat(NodeLab.cgroups(pods.on(node).uid())).isEmpty();
    }
  }
}
