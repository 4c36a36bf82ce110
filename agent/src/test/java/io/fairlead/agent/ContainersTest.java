package io.fairlead.agent;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.containerd.PrivateContainerd;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.route.IpPrefix;
import io.fairlead.kernel.route.Rtnetlink;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Pacer;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// A whole agent with a containerd of its own, against an API in memory, on a node that is a
/// network namespace.
@Tag("system")
class ContainersTest {
  private static final String BUSYBOX = "fairlead.test/busybox:1";
  private static final String DNS = "10.96.0.10";

  @TempDir static Path directory;
  private static MemoryCluster cluster;
  private static NetworkNamespace node;
  private static Agent agent;

  @BeforeAll
  static void start() throws Exception {
    cluster = new MemoryCluster();
    node = TestNode.machine("containers");
    // Where pods ask for names.
    node.run(
        () -> {
          try (Rtnetlink inside = Rtnetlink.open()) {
            inside.addAddress(inside.link("lo").orElseThrow().index(), IpPrefix.parse(DNS + "/32"));
          }
        });
    Files.writeString(directory.resolve("resolv.conf"), "nameserver 127.0.0.1\n");
    agent = Agent.start(cluster.client(), options());
    new PrivateContainerd(
            directory.resolve("agent/containerd"), HostNamespace.of(node), Pacer.system())
        .importArchive(DebianImages.busybox().archive(BUSYBOX));
  }

  private static AgentOptions options() {
    return AgentOptions.of(
            "node-a", List.of("2001:db8::1", "192.0.2.1"), directory.resolve("agent"), "v1.34.0")
        .podRanges(List.of(Cidr.parse("fd00:244:22::/64"), Cidr.parse("10.244.22.0/24")))
        .clusterRanges(List.of(Cidr.parse("fd00:244::/32"), Cidr.parse("10.244.0.0/16")))
        .clusterDns(List.of(DNS))
        .resolvConf(directory.resolve("resolv.conf"))
        .host(HostNamespace.of(node))
        .runtime(new RuntimeOptions(RuntimeOptions.Kind.AUTO, Optional.empty()))
        .build();
  }

  @AfterAll
  static void stop() throws Exception {
    try {
      agent.close();
      assertThat(Agent.removeAll(directory.resolve("agent"), HostNamespace.of(node))).isTrue();
      assertThat(onNode("nft", "list", "tables")).isEmpty();
      assertThat(onNode("ip", "-o", "link")).doesNotContain("@");
      assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(directory + "/");
      // The process beside each container ends a moment after it.
      await().atMost(PATIENCE).until(() -> enginesLeft().isEmpty());
    } finally {
      node.delete();
      cluster.close();
    }
  }

  private static List<String> enginesLeft() {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(line -> line.contains(directory.toString()) && line.contains("containerd"))
        .filter(line -> !line.contains("java"))
        .toList();
  }

  private static String onNode(String... command) {
    return CommandRunner.inside(node, PATIENCE).run("", List.of(command)).output();
  }

  private static void pod(String name, String spec) {
    cluster.pod("node-a", name, spec);
  }

  private static final String TRAP = "trap 'exit 0' TERM; while :; do sleep 0.1; done";

  @Test
  void n55AndN56APodHasItsVolumesAndIsReadyWhenItsProbeSaysSo() throws Exception {
    cluster.create(
        ResourceType.CONFIG_MAPS, "default", "metadata: {name: settings}\ndata: {colour: blue}");
    pod(
        "tools",
        "volumes: [{name: v, configMap: {name: settings}}, {name: e, emptyDir: {}}], containers:"
            + " [{name: c, image: '"
            + BUSYBOX
            + "', imagePullPolicy: IfNotPresent, command: [sh, -c, \"cat /settings/colour; echo;"
            + " echo $KUBERNETES_SERVICE_HOST; touch /scratch/x; "
            + TRAP
            + "\"], readinessProbe: {exec: {command: [test, -e, /scratch/x]}, periodSeconds: 1},"
            + " volumeMounts: [{name: v, mountPath: /settings}, {name: e, mountPath:"
            + " /scratch}]}]");
    cluster.awaitReady("tools");
    assertThat(cluster.says("tools", "containerID")).startsWith("containerd://");
    assertThat(Json.textOr(cluster.pod("tools"), "", "status", "podIP")).startsWith("fd00:244:22:");
    String uid = Json.textOr(cluster.pod("tools"), "", "metadata", "uid");
    Path log = directory.resolve("agent/logs/default_tools_" + uid + "/c/0.log");
    assertThat(Files.readAllLines(log).stream().map(line -> line.replaceFirst("^.* F ", "")))
        .containsExactly("blue", "10.96.0.1");
    cluster.delete("tools");
    await().atMost(PATIENCE).until(() -> !Files.exists(log));
  }

  @Test
  void namesOfTheCatalogueRunBeside() {
    pod("plain", "containers: [{name: c, image: fairlead.dev/hostnames}]");
    cluster.awaitReady("plain");
    assertThat(cluster.says("plain", "containerID")).startsWith("fairlead-builtin://");
    cluster.delete("plain");
  }

  @Test
  void n9AContainerThatFailsIsStartedAgain() {
    pod("crash", "containers: [{name: c, image: '" + BUSYBOX + "', command: [sh, -c, 'exit 3']}]");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(cluster.status("crash").path("restartCount").asInt(0)).isPositive();
              assertThat(
                      Json.at(cluster.status("crash"), "lastState", "terminated", "exitCode")
                          .asInt(0))
                  .isEqualTo(3);
            });
    cluster.delete("crash");
  }

  @Test
  void n6APodThatEndsWellHasSucceeded() {
    pod(
        "once",
        "restartPolicy: Never, containers: [{name: c, image: '"
            + BUSYBOX
            + "', command: [echo, done]}]");
    await().atMost(PATIENCE).until(() -> cluster.phase("once").equals("Succeeded"));
    assertThat(cluster.says("once", "state", "terminated", "reason")).isEqualTo("Completed");
    cluster.delete("once");
  }

  @Test
  void lastWordsAndTheGroupOfVolumes() {
    pod(
        "grouped",
        "restartPolicy: Never, securityContext: {runAsUser: 1000, runAsGroup: 1000, fsGroup: 2345},"
            + " volumes: [{name: e, emptyDir: {}}], containers: [{name: c, image: '"
            + BUSYBOX
            + "', command: [sh, -c, 'touch /scratch/x && stat -c %g /scratch/x >"
            + " /dev/termination-log; exit 3'], volumeMounts: [{name: e, mountPath: /scratch}]},"
            + " {name: d, image: '"
            + BUSYBOX
            + "', terminationMessagePolicy: FallbackToLogsOnError, command: [sh, -c, 'echo last;"
            + " exit 4']}]");
    await().atMost(PATIENCE).until(() -> cluster.phase("grouped").equals("Failed"));
    assertThat(cluster.says("grouped", "state", "terminated", "message")).isEqualTo("2345\n");
    assertThat(
            Json.textOr(
                Json.at(cluster.pod("grouped"), "status", "containerStatuses").path(1),
                "",
                "state",
                "terminated",
                "message"))
        .isEqualTo("last\n");
    cluster.delete("grouped");
  }

  @TestFactory
  Stream<DynamicTest> images() {
    return new ImagePullCases(cluster, node, directory.resolve("agent/containerd")).rows();
  }

  @Test
  void n73APodHasAnAddressOfEachFamilyInTheNodesOrder() {
    pod(
        "dual",
        "terminationGracePeriodSeconds: 1, containers: [{name: c, image: '"
            + BUSYBOX
            + "', command: [sh, -c, 'echo $IPS > /tmp/index.html; exec httpd -f -p 8080 -h /tmp'],"
            + " env: [{name: IPS, valueFrom: {fieldRef: {fieldPath: status.podIPs}}}],"
            + " readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}}]");
    cluster.awaitReady("dual");
    List<String> addresses = cluster.addresses("dual");
    assertThat(addresses).hasSize(2);
    assertThat(addresses.get(0)).startsWith("fd00:244:22::");
    assertThat(addresses.get(1)).startsWith("10.244.22.");
    assertThat(Json.textOr(cluster.pod("dual"), "", "status", "podIP")).isEqualTo(addresses.get(0));
    for (String address : List.of("[" + addresses.get(0) + "]", addresses.get(1))) {
      assertThat(MemoryCluster.curl(node, "http://" + address + ":8080/"))
          .isEqualTo(String.join(",", addresses));
    }
    cluster.delete("dual");
  }

  @Test
  void n48ShortNamesAreAskedForInTheOrderOfTheSearchList() throws Exception {
    try (RecordingDnsServer names =
        new RecordingDnsServer(node, InetAddress.getByName(DNS), "a1.default.svc.cluster.local")) {
      pod(
          "asks",
          "restartPolicy: Never, containers: [{name: c, image: '"
              + BUSYBOX
              + "', command: [sh, -c, 'ping -c1 -W1 a1; ping -c1 -W1 a1.default;"
              + " ping -c1 -W1 www.example.com; true']}]");
      await().atMost(PATIENCE).until(() -> cluster.phase("asks").equals("Succeeded"));
      // A question that got no answer in time on a busy machine is asked again.
      assertThat(names.asked().stream().map(line -> line.replaceFirst(".* ", "")).distinct())
          .containsExactly(
              "a1.default.svc.cluster.local",
              "a1.default.default.svc.cluster.local",
              "www.example.com.default.svc.cluster.local",
              "www.example.com.svc.cluster.local",
              "www.example.com.cluster.local",
              "www.example.com");
      assertThat(names.asked())
          .as("found by the second try of the longer name too")
          .containsSubsequence(
              "A a1.default.svc.cluster.local",
              "A a1.default.default.svc.cluster.local",
              "A a1.default.svc.cluster.local",
              "A www.example.com.default.svc.cluster.local")
          .contains("AAAA a1.default.svc.cluster.local", "AAAA www.example.com");
      cluster.delete("asks");
    }
  }

  @Test
  void n66APodThatLostItsSandboxGetsAnother() {
    pod(
        "frame",
        "containers: [{name: c, image: '" + BUSYBOX + "', command: [sh, -c, \"" + TRAP + "\"]}]");
    cluster.awaitReady("frame");
    String before = cluster.says("frame", "containerID");
    String uid = Json.textOr(cluster.pod("frame"), "", "metadata", "uid");
    CommandRunner.Result pods =
        ctr("containers", "ls", "-q", "labels.\"io.kubernetes.pod.uid\"==" + uid);
    String running = before.replace("containerd://", "");
    String sandbox =
        pods.output().lines().filter(id -> !id.equals(running)).findFirst().orElseThrow();
    assertThat(ctr("tasks", "kill", "-s", "SIGKILL", sandbox).exit()).isZero();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(cluster.status("frame").path("ready").asBoolean(false)).isTrue();
              assertThat(cluster.says("frame", "containerID")).isNotEqualTo(before);
            });
    cluster.delete("frame");
  }

  private static CommandRunner.Result ctr(String... words) {
    List<String> line =
        new ArrayList<>(
            List.of(
                "ctr",
                "-a",
                directory.resolve("agent/containerd/containerd.sock").toString(),
                "-n",
                "k8s.io"));
    line.addAll(List.of(words));
    return CommandRunner.here(PATIENCE).run("", line);
  }

  @Test
  void n64ARestartedAgentTouchesNoContainer() throws InterruptedException {
    pod(
        "steady",
        "containers: [{name: c, image: '" + BUSYBOX + "', command: [sh, -c, \"" + TRAP + "\"]}]");
    cluster.awaitReady("steady");
    String before = cluster.says("steady", "containerID");
    String address = Json.textOr(cluster.pod("steady"), "", "status", "podIP");
    agent.close();
    agent = Agent.start(cluster.client(), options());
    // A pod that comes later shows that the agent has looked at all pods.
    pod("later", "containers: [{name: c, image: fairlead.dev/pause}]");
    cluster.awaitReady("later");
    cluster.awaitReady("steady");
    assertThat(cluster.says("steady", "containerID")).isEqualTo(before);
    assertThat(cluster.status("steady").path("restartCount").asInt(-1)).isZero();
    assertThat(Json.textOr(cluster.pod("steady"), "", "status", "podIP")).isEqualTo(address);
    cluster.delete("later");
    cluster.delete("steady");
  }
}
