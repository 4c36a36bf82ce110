package io.fairlead.agent;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.network.HostNamespace;
import io.fairlead.agent.testing.TestNode;
import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// A whole agent against an API in memory, on a node that is a network namespace.
@Tag("system")
class AgentTest {
  @TempDir Path directory;
  private final MemoryCluster cluster = new MemoryCluster();
  private final Client client = cluster.client();
  private NetworkNamespace node;
  private Agent agent;

  @BeforeEach
  void start() throws InterruptedException {
    node = TestNode.machine("agent");
    agent = Agent.start(client, options().build());
  }

  private AgentOptionsBuilder options() {
    return TestNode.options(node, directory.resolve("agent")).labels(Map.of("zone", "a"));
  }

  @AfterEach
  void stop() {
    agent.close();
    assertThat(Agent.removeAll(directory.resolve("agent"), HostNamespace.of(node))).isTrue();
    assertThat(
            CommandRunner.inside(node, PATIENCE).run("", List.of("nft", "list", "tables")).output())
        .isEmpty();
    node.delete();
    cluster.close();
  }

  private void pod(String name, String spec) {
    cluster.pod("node-a", name, spec);
  }

  private ObjectNode pod(String name) {
    return cluster.pod(name);
  }

  private boolean ready(String name) {
    return cluster.ready(name);
  }

  private String address(String name) {
    return cluster.addresses(name).stream().findFirst().orElse("");
  }

  private String curl(String url) {
    return MemoryCluster.curl(node, url);
  }

  private static final String WEB =
      "containers: [{name: c, image: fairlead.dev/hostnames, readinessProbe: {httpGet: {port:"
          + " 9376, path: /healthz}, periodSeconds: 1}}]";

  @Test
  void n1AndN24APodRunsAnswersAndEnds() {
    pod("web-0", WEB);
    await().atMost(PATIENCE).until(() -> ready("web-0"));
    assertThat(address("web-0")).startsWith("10.244.9.");
    assertThat(cluster.phase("web-0")).isEqualTo("Running");
    assertThat(curl("http://" + address("web-0") + ":9376/")).isEqualTo("web-0");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                client
                    .list(ResourceType.EVENTS, "default", io.fairlead.client.ListOptions.ALL)
                    .items()
                    .stream()
                    .map(event -> Json.textOr(event, "", "reason"))
                    .toList()
                    .containsAll(List.of("Pulled", "Created", "Started")));
    client.delete(ResourceType.PODS, new ObjectKey("default", "web-0"), DeleteOptions.DEFAULT);
    await()
        .atMost(PATIENCE)
        .until(() -> client.find(ResourceType.PODS, new ObjectKey("default", "web-0")).isEmpty());
    await().atMost(PATIENCE).until(() -> !links().contains("@"));
  }

  private String links() {
    return CommandRunner.inside(node, PATIENCE).run("", List.of("ip", "-o", "link")).output();
  }

  @Test
  void theNodeRegistersWithLeaseAndConditions() {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                client
                    .find(ResourceType.LEASES, new ObjectKey("kube-node-lease", "node-a"))
                    .isPresent());
    await().atMost(PATIENCE).until(() -> !Json.at(node(), "status", "conditions").isEmpty());
    assertThat(Json.textOr(node(), "", "spec", "podCIDR")).isEqualTo("10.244.9.0/24");
    assertThat(Json.textOr(node(), "", "metadata", "labels", "kubernetes.io/hostname"))
        .isEqualTo("node-a");
    assertThat(node().toString())
        .contains("kubelet is posting ready status")
        .contains("\"address\":\"192.0.2.1\"");
  }

  private ObjectNode node() {
    return client.get(ResourceType.NODES, new ObjectKey("", "node-a"));
  }

  @Test
  void n64ARestartedAgentKeepsThePodsAddress() throws InterruptedException {
    pod("web-0", WEB);
    await().atMost(PATIENCE).until(() -> ready("web-0"));
    String before = address("web-0");
    agent.close();
    agent = Agent.start(client, options().build());
    await().atMost(PATIENCE).until(() -> curl("http://" + before + ":9376/").equals("web-0"));
    await().atMost(PATIENCE).until(() -> ready("web-0"));
    assertThat(address("web-0")).isEqualTo(before);
  }

  @Test
  void n30APodThatWentWhileNoAgentWasThereIsEnded() throws InterruptedException {
    pod("web-0", WEB);
    await().atMost(PATIENCE).until(() -> ready("web-0"));
    agent.close();
    client.delete(
        ResourceType.PODS,
        new ObjectKey("default", "web-0"),
        new DeleteOptions(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(0L)));
    agent = Agent.start(client, options().build());
    await().atMost(PATIENCE).until(() -> !links().contains("@"));
  }

  @Test
  void n56AShellSeesItsVolumesAndVariables() throws Exception {
    cluster.create(
        ResourceType.CONFIG_MAPS, "default", "metadata: {name: settings}\ndata: {colour: blue}");
    pod(
        "tools",
        "restartPolicy: Never, volumes: [{name: v, configMap: {name: settings}}, {name: e,"
            + " emptyDir: {}}], containers: [{name: c, image: fairlead.dev/shell, command: [sh,"
            + " -c, 'cat /settings/colour; echo; echo $KUBERNETES_SERVICE_HOST; touch /scratch/x"
            + " && grep -c tools /etc/hosts; head -1 /etc/resolv.conf'], volumeMounts: [{name: v,"
            + " mountPath: /settings}, {name: e, mountPath: /scratch}]}]");
    await().atMost(PATIENCE).until(() -> cluster.phase("tools").equals("Succeeded"));
    String uid = Json.textOr(pod("tools"), "", "metadata", "uid");
    Path log = directory.resolve("agent/logs/default_tools_" + uid + "/c/0.log");
    assertThat(Files.readAllLines(log).stream().map(line -> line.replaceFirst("^.* F ", "")))
        .containsExactly(
            "blue", "10.96.0.1", "1", Files.readAllLines(log).getLast().replaceFirst("^.* F ", ""));
    assertThat(Files.readString(log)).contains("search default.svc.cluster.local");
    assertThat(directory.resolve("agent/pods/" + uid + "/volumes/kubernetes.io~empty-dir/e/x"))
        .exists();
  }

  private String said(String name) {
    return cluster.says(name, "state", "terminated", "message");
  }

  @Test
  void aContainersLastWordsAreItsMessage() {
    String shell = "restartPolicy: Never, containers: [{name: c, image: fairlead.dev/shell, ";
    pod("spoke", shell + "command: [sh, -c, 'echo bye > /dev/termination-log; exit 3']}]");
    pod(
        "logged",
        shell
            + "terminationMessagePolicy: FallbackToLogsOnError, command: [sh, -c, 'echo one; echo"
            + " two; exit 3']}]");
    pod(
        "well",
        shell + "terminationMessagePolicy: FallbackToLogsOnError, command: [sh, -c, 'echo one']}]");
    pod(
        "elsewhere",
        shell + "terminationMessagePath: /tmp/end, command: [sh, -c, 'echo there > /tmp/end']}]");
    for (String name : List.of("spoke", "logged")) {
      await().atMost(PATIENCE).until(() -> cluster.phase(name).equals("Failed"));
    }
    for (String name : List.of("well", "elsewhere")) {
      await().atMost(PATIENCE).until(() -> cluster.phase(name).equals("Succeeded"));
    }
    assertThat(said("spoke")).isEqualTo("bye\n");
    assertThat(said("logged")).isEqualTo("one\ntwo\n");
    assertThat(said("well")).as("the log counts only after a failure").isEmpty();
    assertThat(said("elsewhere")).isEqualTo("there\n");
  }

  @Test
  void volumesBelongToThePodsGroup() {
    cluster.create(
        ResourceType.CONFIG_MAPS, "default", "metadata: {name: settings}\ndata: {colour: blue}");
    pod(
        "grouped",
        "restartPolicy: Never, securityContext: {fsGroup: 2345}, volumes: [{name: v, configMap:"
            + " {name: settings, defaultMode: 256}}, {name: e, emptyDir: {}}], containers: [{name:"
            + " c, image: fairlead.dev/shell, command: [sh, -c, 'touch /scratch/x; stat -L -c"
            + " \"%g %a\" /scratch /settings /settings/colour > /dev/termination-log; stat -c %g"
            + " /scratch/x >> /dev/termination-log'], volumeMounts: [{name: v, mountPath:"
            + " /settings}, {name: e, mountPath: /scratch}]}]");
    await().atMost(PATIENCE).until(() -> cluster.phase("grouped").equals("Succeeded"));
    assertThat(said("grouped")).isEqualTo("2345 2777\n2345 2755\n2345 440\n2345\n");
  }

  private void manifest(String text) throws IOException {
    Path place = Files.createDirectories(directory.resolve("manifests"));
    Path hidden = Files.writeString(place.resolve(".web.yaml"), text);
    Files.move(hidden, place.resolve("web.yaml"), StandardCopyOption.REPLACE_EXISTING);
  }

  private static String web(String greeting) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {greeting: "
        + greeting
        + "}}\nspec: {terminationGracePeriodSeconds: 1, "
        + WEB
        + "}\n";
  }

  private Optional<ObjectNode> mirror() {
    return client.find(ResourceType.PODS, new ObjectKey("default", "web-node-a"));
  }

  private String mirrorSays(String... path) {
    return mirror().map(pod -> Json.textOr(pod, "", path)).orElse("");
  }

  private List<String> sandboxes() {
    return CommandRunner.inside(node, PATIENCE)
        .run("", List.of("ip", "-o", "link"))
        .output()
        .lines()
        .filter(line -> line.contains("@"))
        .toList();
  }

  @Test
  void aMirrorThatShowsAComponentOfTheProcessIsLeftAloneAndAStrayOneGoes() {
    client.create(ResourceType.PODS, "kube-system", mirror("kube-proxy-node-a", "proxy"));
    client.create(ResourceType.PODS, "kube-system", mirror("stray-node-a", ""));
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                client
                    .find(ResourceType.PODS, new ObjectKey("kube-system", "stray-node-a"))
                    .isEmpty());
    assertThat(client.find(ResourceType.PODS, new ObjectKey("kube-system", "kube-proxy-node-a")))
        .isPresent();
  }

  private static ObjectNode mirror(String name, String component) {
    ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.putObject("metadata").put("name", name);
    metadata.putObject("annotations").put("kubernetes.io/config.mirror", "x");
    if (!component.isEmpty()) {
      metadata.putObject("labels").put("fairlead.dev/component", component);
    }
    ObjectNode spec = pod.putObject("spec").put("nodeName", "node-a");
    spec.putArray("containers").addObject().put("name", "c").put("image", "fairlead.dev/pause");
    return pod;
  }

  @Test
  void n75AStaticPodFollowsItsFileAndItsMirrorFollowsIt() throws Exception {
    agent.close();
    manifest(web("hello"));
    AgentOptions withFiles =
        options().manifests(Optional.of(directory.resolve("manifests"))).build();
    agent = Agent.start(client, withFiles);
    await().atMost(PATIENCE).until(() -> mirror().isPresent() && ready("web-node-a"));
    String address = address("web-node-a");
    assertThat(curl("http://" + address + ":9376/")).isEqualTo("web-node-a");
    String hash = mirrorSays("metadata", "annotations", "kubernetes.io/config.hash");
    assertThat(hash).hasSize(32);
    assertThat(mirrorSays("metadata", "annotations", "kubernetes.io/config.mirror"))
        .isEqualTo(hash);
    assertThat(mirror().orElseThrow().path("metadata").path("ownerReferences").toString())
        .contains("\"kind\":\"Node\"", "\"name\":\"node-a\"");

    String first = mirrorSays("metadata", "uid");
    client.delete(ResourceType.PODS, new ObjectKey("default", "web-node-a"), DeleteOptions.DEFAULT);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                !mirrorSays("metadata", "uid").equals(first)
                    && mirror().isPresent()
                    && ready("web-node-a"));
    assertThat(address("web-node-a")).as("the pod was not touched").isEqualTo(address);

    agent.close();
    agent = Agent.start(client, withFiles);
    await().atMost(PATIENCE).until(() -> curl("http://" + address + ":9376/").equals("web-node-a"));
    assertThat(mirrorSays("metadata", "annotations", "kubernetes.io/config.hash"))
        .as("the same pod for another agent")
        .isEqualTo(hash);
    assertThat(sandboxes()).hasSize(1);

    manifest(web("goodbye"));
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                mirrorSays("metadata", "labels", "greeting").equals("goodbye")
                    && ready("web-node-a")
                    && sandboxes().size() == 1);
    assertThat(mirrorSays("metadata", "annotations", "kubernetes.io/config.hash"))
        .isNotEqualTo(hash);

    manifest("kind: Nonsense\n");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                client
                    .list(ResourceType.EVENTS, "default", io.fairlead.client.ListOptions.ALL)
                    .items()
                    .stream()
                    .anyMatch(
                        event ->
                            Json.textOr(event, "", "reason").equals("InvalidStaticPod")
                                && Json.textOr(event, "", "message").contains("web.yaml")));
    assertThat(ready("web-node-a")).as("goes on as it was").isTrue();

    Files.delete(directory.resolve("manifests/web.yaml"));
    await().atMost(PATIENCE).until(() -> mirror().isEmpty() && sandboxes().isEmpty());
  }

  @Test
  void n54TwoPodsCannotHaveOneHostPort() {
    String spec =
        "containers: [{name: c, image: fairlead.dev/pause, ports: [{containerPort: 80, hostPort:"
            + " 8080}]}]";
    pod("first", spec);
    await().atMost(PATIENCE).until(() -> ready("first"));
    pod("second", spec);
    await().atMost(PATIENCE).until(() -> cluster.phase("second").equals("Failed"));
    assertThat(Json.textOr(pod("second"), "", "status", "reason")).isEqualTo("NodePorts");
    assertThat(ready("first")).isTrue();
  }
}
