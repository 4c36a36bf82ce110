package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.containerd.PrivateContainerd;
import io.fairlead.agent.cri.Registry;
import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.time.Pacer;
import io.fairlead.kernel.namespace.NetworkNamespace;
import io.fairlead.kernel.process.Tool;
import io.fairlead.kernel.route.Network;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A whole agent with a containerd of its own, against an API in memory, on a node that is a
/// network namespace.
@Tag("system")
class ContainersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BUSYBOX = "fairlead.test/busybox:1";

  @TempDir static Path directory;
  private static Client client;
  private static NetworkNamespace node;
  private static Agent agent;

  @BeforeAll
  static void start() throws InterruptedException {
    client =
        new Client(
            new FakeApi(
                List.of(
                    ResourceType.PODS,
                    ResourceType.SERVICES,
                    ResourceType.NODES,
                    ResourceType.LEASES,
                    ResourceType.EVENTS,
                    ResourceType.CONFIG_MAPS)));
    node = NetworkNamespace.create("containers-" + UUID.randomUUID().toString().substring(0, 8));
    node.run(
        () -> {
          try (Network inside = Network.open()) {
            inside.setUp(inside.link("lo").orElseThrow().index(), true);
          }
        });
    create(ResourceType.NAMESPACES, "", "metadata: {name: kube-node-lease}");
    create(
        ResourceType.SERVICES,
        "default",
        "metadata: {name: kubernetes}\nspec: {clusterIP: 10.96.0.1, ports: [{port: 443}]}");
    agent = Agent.start(client, options());
    new PrivateContainerd(
            directory.resolve("agent/containerd"), HostNamespace.of(node), Pacer.system())
        .importArchive(DebianImages.busybox().archive(BUSYBOX));
  }

  private static AgentOptions options() {
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
        .with(new RuntimeOptions(RuntimeOptions.Kind.AUTO, Optional.empty()));
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
      client.close();
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
    return Tool.inside(node, PATIENCE).run("", List.of(command)).output();
  }

  private static void create(ResourceType type, String namespace, String yaml) {
    client.create(type, namespace, (ObjectNode) Yaml.parse(yaml));
  }

  private static void pod(String name, String spec) {
    create(
        ResourceType.PODS,
        "default",
        "metadata: {name: " + name + "}\nspec: {nodeName: node-a, " + spec + "}");
  }

  private static ObjectNode pod(String name) {
    return client.get(ResourceType.PODS, new ObjectKey("default", name));
  }

  private static JsonNode status(String name) {
    return Json.at(pod(name), "status", "containerStatuses").path(0);
  }

  private static String phase(String name) {
    return Json.textOr(pod(name), "", "status", "phase");
  }

  private static void awaitReady(String name) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(status(name).path("ready").asBoolean(false)).isTrue());
  }

  private static void delete(String name) {
    client.delete(ResourceType.PODS, new ObjectKey("default", name), DeleteOptions.DEFAULT);
    await()
        .atMost(PATIENCE)
        .until(() -> client.find(ResourceType.PODS, new ObjectKey("default", name)).isEmpty());
  }

  private static final String TRAP = "trap 'exit 0' TERM; while :; do sleep 0.1; done";

  @Test
  void n55AndN56APodHasItsVolumesAndIsReadyWhenItsProbeSaysSo() throws Exception {
    create(ResourceType.CONFIG_MAPS, "default", "metadata: {name: settings}\ndata: {colour: blue}");
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
    awaitReady("tools");
    assertThat(Json.textOr(status("tools"), "", "containerID")).startsWith("containerd://");
    assertThat(Json.textOr(pod("tools"), "", "status", "podIP")).startsWith("10.244.22.");
    String uid = Json.textOr(pod("tools"), "", "metadata", "uid");
    Path log = directory.resolve("agent/logs/default_tools_" + uid + "/c/0.log");
    assertThat(Files.readAllLines(log).stream().map(line -> line.replaceFirst("^.* F ", "")))
        .containsExactly("blue", "10.96.0.1");
    delete("tools");
    await().atMost(PATIENCE).until(() -> !Files.exists(log));
  }

  @Test
  void namesOfTheCatalogueRunBeside() {
    pod("plain", "containers: [{name: c, image: fairlead.dev/hostnames}]");
    awaitReady("plain");
    assertThat(Json.textOr(status("plain"), "", "containerID")).startsWith("fairlead-builtin://");
    delete("plain");
  }

  @Test
  void n9AContainerThatFailsIsStartedAgain() {
    pod("crash", "containers: [{name: c, image: '" + BUSYBOX + "', command: [sh, -c, 'exit 3']}]");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(status("crash").path("restartCount").asInt(0)).isPositive();
              assertThat(Json.at(status("crash"), "lastState", "terminated", "exitCode").asInt(0))
                  .isEqualTo(3);
            });
    delete("crash");
  }

  @Test
  void n6APodThatEndsWellHasSucceeded() {
    pod(
        "once",
        "restartPolicy: Never, containers: [{name: c, image: '"
            + BUSYBOX
            + "', command: [echo, done]}]");
    await().atMost(PATIENCE).until(() -> phase("once").equals("Succeeded"));
    assertThat(Json.textOr(status("once"), "", "state", "terminated", "reason"))
        .isEqualTo("Completed");
    delete("once");
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
    await().atMost(PATIENCE).until(() -> phase("grouped").equals("Failed"));
    assertThat(Json.textOr(status("grouped"), "", "state", "terminated", "message"))
        .isEqualTo("2345\n");
    assertThat(
            Json.textOr(
                Json.at(pod("grouped"), "status", "containerStatuses").path(1),
                "",
                "state",
                "terminated",
                "message"))
        .isEqualTo("last\n");
    delete("grouped");
  }

  @Test
  void n58ImagesThatCannotBeHadAreNamed() {
    pod(
        "never",
        "containers: [{name: c, image: 'fairlead.test/absent:1', imagePullPolicy: Never}]");
    pod("bad", "containers: [{name: c, image: 'Not A Name', imagePullPolicy: IfNotPresent}]");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(Json.textOr(status("never"), "", "state", "waiting", "reason"))
                  .isEqualTo("ErrImageNeverPull");
              assertThat(Json.textOr(status("bad"), "", "state", "waiting", "reason"))
                  .isEqualTo("InvalidImageName");
            });
    delete("never");
    delete("bad");
  }

  @Test
  void n58AnImageThatComesLaterIsPulledThen() throws Exception {
    try (Registry registry = new Registry(node)) {
      registry.serveAll(directory.resolve("agent/containerd"));
      pod(
          "late",
          "containers: [{name: c, image: 'registry.test/late/busybox:1', imagePullPolicy:"
              + " IfNotPresent, command: [sh, -c, \""
              + TRAP
              + "\"]}]");
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  Json.textOr(status("late"), "", "state", "waiting", "reason")
                      .equals("ImagePullBackOff"));
      assertThat(Json.textOr(status("late"), "", "state", "waiting", "message"))
          .startsWith("Back-off pulling image \"registry.test/late/busybox:1\": ErrImagePull:")
          .contains("not found");
      registry.put("late/busybox:1", DebianImages.busybox());
      awaitReady("late");
      delete("late");
    }
  }

  @Test
  void n66APodThatLostItsSandboxGetsAnother() {
    pod(
        "frame",
        "containers: [{name: c, image: '" + BUSYBOX + "', command: [sh, -c, \"" + TRAP + "\"]}]");
    awaitReady("frame");
    String before = Json.textOr(status("frame"), "", "containerID");
    String uid = Json.textOr(pod("frame"), "", "metadata", "uid");
    Tool.Result pods = ctr("containers", "ls", "-q", "labels.\"io.kubernetes.pod.uid\"==" + uid);
    String running = before.replace("containerd://", "");
    String sandbox =
        pods.output().lines().filter(id -> !id.equals(running)).findFirst().orElseThrow();
    assertThat(ctr("tasks", "kill", "-s", "SIGKILL", sandbox).exit()).isZero();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(status("frame").path("ready").asBoolean(false)).isTrue();
              assertThat(Json.textOr(status("frame"), "", "containerID")).isNotEqualTo(before);
            });
    delete("frame");
  }

  private static Tool.Result ctr(String... words) {
    List<String> line =
        new ArrayList<>(
            List.of(
                "ctr",
                "-a",
                directory.resolve("agent/containerd/containerd.sock").toString(),
                "-n",
                "k8s.io"));
    line.addAll(List.of(words));
    return Tool.here(PATIENCE).run("", line);
  }

  @Test
  void n64ARestartedAgentTouchesNoContainer() throws InterruptedException {
    pod(
        "steady",
        "containers: [{name: c, image: '" + BUSYBOX + "', command: [sh, -c, \"" + TRAP + "\"]}]");
    awaitReady("steady");
    String before = Json.textOr(status("steady"), "", "containerID");
    String address = Json.textOr(pod("steady"), "", "status", "podIP");
    agent.close();
    agent = Agent.start(client, options());
    // A pod that comes later shows that the agent has looked at all pods.
    pod("later", "containers: [{name: c, image: fairlead.dev/pause}]");
    awaitReady("later");
    awaitReady("steady");
    assertThat(Json.textOr(status("steady"), "", "containerID")).isEqualTo(before);
    assertThat(status("steady").path("restartCount").asInt(-1)).isZero();
    assertThat(Json.textOr(pod("steady"), "", "status", "podIP")).isEqualTo(address);
    delete("later");
    delete("steady");
  }
}
