package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeInstance.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.e2e.kubectl.Kubectl;
import io.fairlead.kernel.process.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// Logs, exec, attach, port-forward and proxies with the kubectl that people have: the old ones
/// speak SPDY, the new ones WebSocket.
@Tag("system")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StreamsTest {
  private static final String PODS =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: tools}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - name: c
          image: fairlead.dev/shell
          command: [sh, -c, "while :; do echo tick; sleep 0.2; done"]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - name: c
          image: fairlead.dev/hostnames
          ports: [{containerPort: 9376}]
          readinessProbe: {httpGet: {port: 9376, path: /healthz}, periodSeconds: 1}
        - {name: echo, image: fairlead.dev/echo}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: files}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - {name: c, image: fairlead.dev/shell, command: [busybox, httpd, -f, -p, "8081", -h, HOME]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: three-lines}
      spec:
        restartPolicy: Never
        containers:
        - name: c
          image: fairlead.dev/shell
          command: [sh, -c, "for i in 1 2 3; do echo line $i; done; sleep 3; echo end; exit 1"]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: crashes}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - {name: c, image: fairlead.dev/shell, command: [sh, -c, "echo last words; exit 1"]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}, ports: [{port: 80, targetPort: 9376}]}
      """;

  @TempDir static Path home;
  private static NodeInstance instance;
  private static Path newest;

  @BeforeAll
  static void start() throws IOException {
    instance = new NodeInstance(home);
    List<Path> installed = Kubectl.installed();
    newest = installed.isEmpty() ? Path.of("kubectl") : installed.getLast();
    String pods = PODS.replace("HOME", home.toString());
    Tool.Result applied = kubectl(newest, pods, "apply", "-f", "-");
    assertThat(applied.exit()).as(applied.error()).isZero();
    Tool.Result ready =
        kubectl(
            newest,
            "",
            "wait",
            "--for=condition=Ready",
            "pod/tools",
            "pod/web",
            "pod/files",
            "--timeout=80s");
    assertThat(ready.exit()).as(ready.error()).isZero();
  }

  @AfterAll
  static void stop() {
    if (instance != null) {
      instance.close();
    }
  }

  private static List<String> line(Path binary, String... words) {
    List<String> line =
        new ArrayList<>(
            List.of(binary.toString(), "--kubeconfig=" + instance.kubeconfig(), "-n", "default"));
    line.addAll(List.of(words));
    return line;
  }

  private static Tool.Result kubectl(Path binary, String input, String... words) {
    return instance.run(input, line(binary, words));
  }

  private static Tool.Result kubectl(String... words) {
    return kubectl(newest, "", words);
  }

  @TestFactory
  Stream<DynamicTest> everyKubectl() throws IOException {
    return Kubectl.installed().stream()
        .flatMap(
            binary -> {
              String name = "kubectl 1." + Kubectl.minorOf(binary) + ": ";
              return Stream.of(
                  dynamicTest(name + "P22 exec exit 3", () -> exitCode(binary)),
                  dynamicTest(name + "P23 stdin ends", () -> input(binary)),
                  dynamicTest(name + "exec in a terminal", () -> terminal(binary)),
                  dynamicTest(name + "P25 port-forward", () -> portForward(binary)));
            });
  }

  private static void exitCode(Path binary) {
    Tool.Result result =
        kubectl(binary, "", "exec", "tools", "--", "sh", "-c", "echo out; echo err >&2; exit 3");
    assertThat(result.exit()).as(result.error()).isEqualTo(3);
    assertThat(result.output()).isEqualTo("out\n");
    assertThat(result.error()).contains("err", "command terminated with exit code 3");
  }

  private static void input(Path binary) {
    String text = "a line of input\n".repeat(20_000);
    Tool.Result result = kubectl(binary, text, "exec", "-i", "tools", "--", "cat");
    assertThat(result.exit()).as(result.error()).isZero();
    assertThat(result.output()).isEqualTo(text);
  }

  /// `script` gives kubectl a terminal of its own, whose size must arrive in the container.
  private static void terminal(Path binary) {
    String remote =
        "until [ \\\"$(stty size)\\\" = '33 99' ]; do sleep 0.1; done; tty; echo sized; exit 4";
    String local =
        "stty rows 33 cols 99; "
            + String.join(" ", line(binary, "exec", "-it", "tools", "--", "sh", "-c"))
            + " \""
            + remote.replace("$", "\\$")
            + "\"";
    Tool.Result result = instance.run("", List.of("script", "-qec", local, "/dev/null"));
    assertThat(result.output()).contains("/dev/pts/", "sized");
    assertThat(result.exit()).as(result.output()).isEqualTo(4);
  }

  private static void portForward(Path binary) throws Exception {
    try (Forward forward = new Forward(binary, "pod/web", "9376")) {
      Tool.Result result =
          instance.run(
              "",
              List.of(
                  "curl",
                  "-s",
                  "--max-time",
                  "60",
                  "-Z",
                  "--parallel-max",
                  "200",
                  "http://127.0.0.1:" + forward.port() + "/?n=[1-200]"));
      assertThat(result.output().lines()).hasSize(200).containsOnly("web");
    }
  }

  /// A running `kubectl port-forward`.
  private static final class Forward implements AutoCloseable {
    private final Process process;
    private final BufferedReader output;
    private final int port;

    Forward(Path binary, String target, String podPort) throws IOException {
      process = instance.begin(line(binary, "port-forward", target, ":" + podPort));
      output = process.inputReader(UTF_8);
      String first = output.readLine();
      assertThat(first).startsWith("Forwarding from 127.0.0.1:");
      port = Integer.parseInt(first.replaceAll(".*127.0.0.1:(\\d+) .*", "$1"));
    }

    int port() {
      return port;
    }

    /// Waits for a line.
    String await(String part) throws IOException {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.contains(part)) {
          return line;
        }
      }
      throw new IOException("the output ended without: " + part);
    }

    @Override
    public void close() {
      process.destroyForcibly();
    }
  }

  @Test
  void aClosedPortOfThePodIsTold() throws Exception {
    try (Forward forward = new Forward(newest, "pod/web", "1")) {
      instance.run(
          "",
          List.of("curl", "-s", "--max-time", "30", "http://127.0.0.1:" + forward.port() + "/"));
      assertThat(forward.await("an error occurred")).contains("Connection refused");
    }
  }

  @Test
  void muchGoesThroughAForwardUnchanged() throws Exception {
    try (Forward forward = new Forward(newest, "pod/web", "8080")) {
      Tool.Result result =
          instance.run(
              "",
              List.of(
                  "bash",
                  "-c",
                  """
                  exec 3<>/dev/tcp/127.0.0.1/%d
                  head -c 30000000 /dev/urandom > %2$s/sent
                  cat %2$s/sent >&3 &
                  head -c 30000000 <&3 | cmp - %2$s/sent && echo same
                  """
                      .formatted(forward.port(), home)));
      assertThat(result.output()).as(result.error()).isEqualTo("same\n");
    }
  }

  @Test
  void p25AGigabyteComesThroughAForwardUnchanged() throws Exception {
    try (Forward forward = new Forward(newest, "pod/files", "8081")) {
      Tool.Result result =
          Tool.inside(instance.network(), Duration.ofMinutes(5))
              .run(
                  """
                  key=000102030405060708090a0b0c0d0e0f
                  openssl enc -aes-128-ctr -K $key -iv $key -in /dev/zero 2>/dev/null |
                    head -c 1000000000 > %1$s/large
                  curl -sf --max-time 280 http://127.0.0.1:%2$d/large | cmp - %1$s/large && echo same
                  rm %1$s/large
                  """
                      .formatted(home, forward.port()),
                  List.of("sh"));
      assertThat(result.output()).as(result.error()).isEqualTo("same\n");
    }
  }

  @Test
  void p24HundredMegabytesComeWithoutLoss() {
    Tool.Result result =
        instance.run(
            "",
            List.of(
                "bash",
                "-c",
                String.join(" ", line(newest, "exec", "tools", "--"))
                    + " head -c 100000000 /dev/zero | wc -c"));
    assertThat(result.output().strip()).isEqualTo("100000000");
  }

  @Test
  void p24ControlCReachesTheProgram() throws Exception {
    String command =
        String.join(" ", line(newest, "exec", "-it", "tools", "--", "sh", "-c"))
            + " \"trap 'exit 9' INT; echo rea''dy; while :; do sleep 0.1; done\"";
    Process process = instance.begin(List.of("script", "-qec", command, "/dev/null"));
    BufferedReader output = process.inputReader(UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.contains("ready")) {
        break;
      }
    }
    process.getOutputStream().write(3);
    process.getOutputStream().flush();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(9);
  }

  @Test
  void aProgramEndsWithItsUser() throws Exception {
    Process process =
        instance.begin(line(newest, "exec", "tools", "--", "sh", "-c", "echo $$; sleep 1000.1"));
    assertThat(process.inputReader(UTF_8).readLine()).isNotNull();
    process.destroyForcibly();
    await()
        .atMost(PATIENCE)
        .until(
            () -> !kubectl("exec", "tools", "--", "ps", "-eo", "args").output().contains("1000.1"));
  }

  @Test
  void logsAreCutAndStampedAndFollowed() throws Exception {
    assertThat(kubectl("logs", "tools", "--tail=2").output()).isEqualTo("tick\ntick\n");
    assertThat(kubectl("logs", "tools", "--tail=1", "--timestamps").output())
        .matches("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z tick\n");
    assertThat(kubectl("logs", "tools", "--limit-bytes=3").output()).isEqualTo("tic");
    assertThat(kubectl("logs", "tools", "--since=1h").output()).startsWith("tick\n");
    assertThat(kubectl("logs", "tools", "--since-time=2100-01-01T00:00:00Z").output()).isEmpty();
    Process process = instance.begin(line(newest, "logs", "-f", "--tail=1", "tools"));
    try (BufferedReader output = process.inputReader(UTF_8)) {
      for (int i = 0; i < 5; i++) {
        assertThat(output.readLine()).isEqualTo("tick");
      }
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void p27FollowedLogsEndWithTheContainerAndThePreviousOnesStay() {
    await()
        .atMost(PATIENCE)
        .until(() -> kubectl("logs", "three-lines").output().startsWith("line 1"));
    assertThat(kubectl("logs", "-f", "three-lines").output())
        .isEqualTo("line 1\nline 2\nline 3\nend\n");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(kubectl("logs", "--previous", "crashes").output())
                    .isEqualTo("last words\n"));
  }

  @Test
  void attachListens() throws Exception {
    Process process = instance.begin(line(newest, "attach", "tools"));
    try (BufferedReader output = process.inputReader(UTF_8)) {
      String line = output.readLine();
      while (line != null && !line.equals("tick")) {
        line = output.readLine();
      }
      assertThat(line).isEqualTo("tick");
    } finally {
      process.destroyForcibly();
    }
  }

  /// A pod of one's own, gone when one leaves.
  @Test
  void aPodIsTalkedToAndGoesWithItsUser() {
    Tool.Result piped =
        kubectl(
            newest,
            "hello\n",
            "run",
            "talk",
            "-i",
            "--rm",
            "--restart=Never",
            "--pod-running-timeout=2m",
            "--image=fairlead.dev/shell",
            "--",
            "sh",
            "-c",
            "read a; echo got $a");
    assertThat(piped.output()).as(piped.error()).contains("got hello", "pod \"talk\" deleted");
    String local =
        String.join(
                " ",
                line(
                    newest,
                    "run",
                    "type",
                    "-it",
                    "--rm",
                    "--restart=Never",
                    "--pod-running-timeout=2m",
                    "--image=fairlead.dev/shell",
                    "--",
                    "sh",
                    "-c"))
            + " 'read a; echo got $a on $(tty)'";
    Tool.Result typed = instance.run("hello\n", List.of("script", "-qec", local, "/dev/null"));
    assertThat(typed.output()).contains("got hello on /dev/pts/");
    assertThat(kubectl("get", "pod", "talk", "type", "--ignore-not-found").output()).isEmpty();
  }

  @Test
  void filesAreCopiedBothWays() throws IOException {
    Path file = Files.writeString(home.resolve("file"), "content\n".repeat(1000));
    Tool.Result there = kubectl("cp", file.toString(), "tools:/tmp/there");
    assertThat(there.exit()).as(there.error()).isZero();
    Tool.Result back = kubectl("cp", "tools:/tmp/there", home.resolve("back").toString());
    assertThat(back.exit()).as(back.error()).isZero();
    assertThat(home.resolve("back")).hasSameTextualContentAs(file);
  }

  @Test
  void podsServicesAndNodesAreReachedByProxy() {
    await()
        .atMost(PATIENCE)
        .until(() -> raw("namespaces/default/services/web/proxy/").equals("web\n"));
    assertThat(raw("namespaces/default/services/http:web:80/proxy/healthz")).startsWith("ok");
    assertThat(raw("namespaces/default/pods/web/proxy/")).isEqualTo("web\n");
    assertThat(raw("namespaces/default/pods/web:9376/proxy/")).isEqualTo("web\n");
    assertThat(raw("nodes/fairlead/proxy/healthz")).isEqualTo("ok");
    assertThat(raw("nodes/fairlead/proxy/pods")).contains("\"name\":\"tools\"");
    assertThat(raw("nodes/fairlead/proxy/runningpods/")).contains("\"name\":\"tools\"");
    assertThat(raw("nodes/fairlead/proxy/metrics"))
        .contains("kubelet_node_name{node=\"fairlead\"} 1", "kubelet_running_pods ");
    assertThat(raw("nodes/fairlead/proxy/metrics/resource"))
        .contains(
            "node_cpu_usage_seconds_total ",
            "container_start_time_seconds{container=\"c\",namespace=\"default\",pod=\"tools\"}");
    assertThat(raw("nodes/fairlead/proxy/metrics/probes"))
        .containsPattern("prober_probe_total\\{.*pod=\"web\".*probe_type=\"Readiness\".*} [1-9]");
    assertThat(raw("nodes/fairlead/proxy/stats/summary"))
        .contains("\"nodeName\":\"fairlead\"", "\"podRef\":{\"name\":\"tools\"");
    assertThat(raw("nodes/fairlead/proxy/configz")).contains("\"maxPods\":110");
    assertThat(kubectl("get", "--raw", "/api/v1/namespaces/default/services/none/proxy/").error())
        .contains("NotFound");
  }

  private static String raw(String path) {
    return kubectl("get", "--raw", "/api/v1/" + path).output();
  }

  @Test
  void whoMayNotIsRefused() {
    for (String[] words :
        new String[][] {
          {"exec", "tools", "--", "true"},
          {"logs", "tools"},
          {"port-forward", "tools", ":80"},
          {"get", "--raw", "/api/v1/namespaces/default/services/web/proxy/"}
        }) {
      List<String> all = new ArrayList<>(List.of("--as=jane"));
      all.addAll(List.of(words));
      Tool.Result refused = kubectl(all.toArray(String[]::new));
      assertThat(refused.exit()).isNotZero();
      assertThat(refused.error()).contains("forbidden").contains("jane");
    }
  }

  @Test
  void theNodesServerLetsOnlyThoseInWhoMay() {
    String port =
        kubectl("get", "node", "fairlead", "-o", "jsonpath={.status.daemonEndpoints..Port}")
            .output();
    String base = "https://127.0.0.1:" + port;
    assertThat(status(base + "/healthz")).isEqualTo("200");
    assertThat(status(base + "/pods")).isEqualTo("401");
    assertThat(status(base + "/pods", "-H", "Authorization: Bearer nonsense")).isEqualTo("401");
    assertThat(status(base + "/exec/default/tools/c?command=id&output=1")).isEqualTo("401");
    assertThat(status(base + "/pods", as("kube-proxy"))).isEqualTo("403");
    assertThat(status(base + "/pods", as("apiserver-kubelet-client"))).isEqualTo("200");
    assertThat(status(base + "/metrics")).isEqualTo("401");
    assertThat(status(base + "/metrics", as("kube-proxy"))).isEqualTo("403");
    assertThat(status(base + "/stats/summary", as("apiserver-kubelet-client"))).isEqualTo("200");
    assertThat(status(base + "/none", as("apiserver-kubelet-client"))).isEqualTo("404");
    assertThat(status(base + "/exec/default/tools/c?command=id&output=1", as("admin")))
        .isEqualTo("400");
  }

  /// The node's server comes back at another port, with another certificate.
  @Test
  @Order(Integer.MAX_VALUE)
  void aNodeIsReachedAfterARestart() throws Exception {
    instance.restart();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(kubectl("exec", "tools", "--", "echo", "again").output())
                    .isEqualTo("again\n"));
  }

  private static String[] as(String name) {
    Path pki = instance.data().resolve("pki");
    return new String[] {
      "--cert",
      pki.resolve(name + ".crt").toString(),
      "--key",
      pki.resolve(name + ".key").toString()
    };
  }

  private static String status(String url, String... more) {
    List<String> line =
        new ArrayList<>(
            List.of("curl", "-sk", "--max-time", "60", "-o", "/dev/null", "-w", "%{http_code}"));
    line.addAll(List.of(more));
    line.add(url);
    return instance.run("", line).output();
  }
}
