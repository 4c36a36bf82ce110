package io.fairlead.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.agent.testing.TestNode;
import io.fairlead.e2e.TestServer;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// From `kubectl apply` to an answer of a real pod, and back to nothing.
@Tag("system")
class PodsRunTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: %s, labels: {app: hostnames}}
      spec:
        nodeName: node-a
        terminationGracePeriodSeconds: 2
        containers:
        - name: hostnames
          image: fairlead.dev/hostnames:1.0
          ports: [{containerPort: 9376}]
          readinessProbe: {httpGet: {port: 9376, path: /healthz}, periodSeconds: 1}
      """;
  private static final String SERVICE =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: hostnames}
      spec: {selector: {app: hostnames}, ports: [{port: 80, targetPort: 9376}]}
      """;

  @TempDir static Path directory;
  private static NetworkNamespace node;
  private static TestServer server;

  @BeforeAll
  static void start() {
    node = TestNode.machine("e2e");
    server =
        TestServer.withNode(
            directory,
            TestNode.options(node, directory.resolve("agent"))
                .clusterDns(List.of("10.0.0.10"))
                .build());
    server.writeKubeconfig(directory.resolve("config"));
  }

  @AfterAll
  static void stop() {
    try {
      server.close();
      assertThat(run("ip", "-o", "link")).as("links left").doesNotContain("@");
      assertThat(run("nft", "list", "tables")).as("tables left").isEmpty();
    } finally {
      node.delete();
    }
  }

  private static String run(String... command) {
    return CommandRunner.inside(node, PATIENCE).run("", List.of(command)).output().strip();
  }

  private static CommandRunner.Result kubectl(String input, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of("kubectl", "--kubeconfig=" + directory.resolve("config"), "-n", "default"));
    command.addAll(List.of(words));
    return CommandRunner.here(PATIENCE).run(input, command);
  }

  private static String get(String what, String path) {
    return kubectl("", "get", what, "-o", "jsonpath=" + path).output();
  }

  private static void apply(String yaml) {
    CommandRunner.Result result = kubectl(yaml, "apply", "-f", "-");
    assertThat(result.exit()).as(result.error()).isZero();
  }

  private static void awaitReady(String pod) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                get("pod/" + pod, "{.status.conditions[?(@.type==\"Ready\")].status}")
                    .equals("True"));
  }

  @Test
  void podsAnswerAndTheirEndpointSliceFollows() {
    apply(SERVICE);
    apply(POD.formatted("web-0"));
    apply(POD.formatted("web-1"));
    awaitReady("web-0");
    awaitReady("web-1");
    List<String> addresses = new ArrayList<>();
    for (String name : List.of("web-0", "web-1")) {
      String address = get("pod/" + name, "{.status.podIP}");
      assertThat(run("curl", "-s", "--max-time", "20", "http://" + address + ":9376/"))
          .isEqualTo(name);
      addresses.add(address);
    }
    String ready = "{range .items[*].endpoints[?(@.conditions.ready==true)]}{.addresses[0]} {end}";
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                List.of(slices(ready).split(" ")).containsAll(addresses)
                    && slices(ready).split(" ").length == 2);
    assertThat(get("pod/web-0", "{.status.containerStatuses[0].imageID}"))
        .isEqualTo("fairlead-builtin://hostnames@1");
    assertThat(kubectl("", "delete", "pod", "web-0", "--wait=true").exit()).isZero();
    await().atMost(PATIENCE).until(() -> slices(ready).strip().equals(addresses.getLast()));
  }

  private static String slices(String path) {
    return kubectl(
            "",
            "get",
            "endpointslices",
            "-l",
            "kubernetes.io/service-name=hostnames",
            "-o",
            "jsonpath=" + path)
        .output();
  }

  @Test
  void n13AnUnreadyPodLeavesTheServiceAndRunsOn() throws IOException {
    apply(
        """
        apiVersion: v1
        kind: Service
        metadata: {name: moody}
        spec: {selector: {app: moody}, ports: [{port: 80, targetPort: 9376}]}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: moody, labels: {app: moody}}
        spec:
          nodeName: node-a
          terminationGracePeriodSeconds: 1
          volumes: [{name: e, emptyDir: {}}]
          containers:
          - name: c
            image: fairlead.dev/shell
            command: [sh, -c, "touch /mood/good; exec sleep infinity"]
            volumeMounts: [{name: e, mountPath: /mood}]
            readinessProbe: {exec: {command: [test, -e, /mood/good]}, periodSeconds: 1}
        """);
    awaitEndpoint("true");
    String run = get("pod/moody", "{.status.containerStatuses[0].containerID}");
    Path mood =
        directory.resolve(
            "agent/pods/%s/volumes/kubernetes.io~empty-dir/e/good"
                .formatted(get("pod/moody", "{.metadata.uid}")));
    Files.delete(mood);
    awaitEndpoint("false");
    assertThat(get("pod/moody", "{.status.phase}")).isEqualTo("Running");
    Files.createFile(mood);
    awaitEndpoint("true");
    assertThat(get("pod/moody", "{.status.containerStatuses[0].containerID}")).isEqualTo(run);
    assertThat(get("pod/moody", "{.status.containerStatuses[0].restartCount}")).isEqualTo("0");
  }

  private static void awaitEndpoint(String ready) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(
                        kubectl(
                                "",
                                "get",
                                "endpointslices",
                                "-l",
                                "kubernetes.io/service-name=moody",
                                "-o",
                                "jsonpath={.items[*].endpoints[*].conditions.ready}")
                            .output())
                    .isEqualTo(ready));
  }

  @Test
  void theNodeIsReadyAndItsPodsHaveTokensAndLogs() {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                get("node/node-a", "{.status.conditions[?(@.type==\"Ready\")].status}")
                    .equals("True"));
    apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: tools}
        spec:
          nodeName: node-a
          restartPolicy: Never
          containers:
          - name: c
            image: fairlead.dev/shell
            command: [sh, -c, "cd /var/run/secrets/kubernetes.io/serviceaccount; ls; cat namespace"]
        """);
    await().atMost(PATIENCE).until(() -> get("pod/tools", "{.status.phase}").equals("Succeeded"));
    assertThat(kubectl("", "logs", "tools").output().lines())
        .containsExactly("ca.crt", "namespace", "token", "default");
    assertThat(kubectl("", "logs", "tools", "--tail=1").output()).isEqualTo("default\n");
    assertThat(kubectl("", "logs", "tools", "--previous").error())
        .contains("previous terminated container \"c\" in pod \"tools\" not found");
  }
}
