package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeInstance.PATIENCE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.kernel.process.CommandRunner;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// The ways in: through the API server to pods, Services and nodes, to the node's own server, and
/// who may not take them.
record ProxyAccessCases(StreamTestPods pods) {
  Stream<DynamicTest> rows() {
    return Stream.of(
        dynamicTest("pods, Services and nodes are reached by proxy", this::proxies),
        dynamicTest("a pod behind a proxy never sees the caller's tokens", this::tokensStay),
        dynamicTest("who may not is refused", this::refused),
        dynamicTest("the node's server lets only those in who may", this::nodeServer));
  }

  private void proxies() {
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
    assertThat(
            pods.kubectl("get", "--raw", "/api/v1/namespaces/default/services/none/proxy/").error())
        .contains("NotFound");
  }

  /// The pod writes down what it gets; the caller sends a token in both places where one may stand.
  private void tokensStay() throws Exception {
    String secret =
        Base64.getUrlEncoder().withoutPadding().encodeToString("the-callers-token".getBytes(UTF_8));
    String server =
        pods.kubectl("config", "view", "-o", "jsonpath={.clusters[0].cluster.server}").output();
    List<String> ask =
        new ArrayList<>(List.of("curl", "-sk", "--http1.1", "--max-time", "3", "-o", "/dev/null"));
    ask.addAll(List.of(as("admin")));
    for (String header :
        List.of(
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io." + secret + ", chat",
            "X-Mark: kept")) {
      ask.addAll(List.of("-H", header));
    }
    ask.add(server + "/api/v1/namespaces/default/pods/tools:8090/proxy/collect");
    Process collector =
        pods.instance()
            .begin(
                pods.line(
                    pods.newest(), "exec", "tools", "--", "busybox", "nc", "-l", "-p", "8090"));
    try {
      StringBuilder got = new StringBuilder();
      Thread.startVirtualThread(() -> collect(collector.inputReader(UTF_8), got));
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                CommandRunner.Result _ = pods.instance().run("", ask);
                synchronized (got) {
                  return got.toString().contains("\n\n"); // the end of the headers
                }
              });
      synchronized (got) {
        assertThat(got.toString())
            .containsIgnoringCase("X-Mark: kept")
            .containsIgnoringCase("Sec-WebSocket-Protocol: chat")
            .doesNotContain(secret)
            .doesNotContain("bearer");
      }
    } finally {
      collector.destroy();
    }
  }

  private static void collect(BufferedReader from, StringBuilder into) {
    try (from) {
      for (String line = from.readLine(); line != null; line = from.readLine()) {
        synchronized (into) {
          into.append(line).append('\n');
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String raw(String path) {
    return pods.kubectl("get", "--raw", "/api/v1/" + path).output();
  }

  private void refused() {
    for (String[] words :
        new String[][] {
          {"exec", "tools", "--", "true"},
          {"logs", "tools"},
          {"port-forward", "tools", ":80"},
          {"get", "--raw", "/api/v1/namespaces/default/services/web/proxy/"}
        }) {
      List<String> all = new ArrayList<>(List.of("--as=jane"));
      all.addAll(List.of(words));
      CommandRunner.Result refused = pods.kubectl(all.toArray(String[]::new));
      assertThat(refused.exit()).isNotZero();
      assertThat(refused.error()).contains("forbidden").contains("jane");
    }
  }

  private void nodeServer() {
    String port =
        pods.kubectl("get", "node", "fairlead", "-o", "jsonpath={.status.daemonEndpoints..Port}")
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

  private String[] as(String name) {
    Path pki = pods.instance().data().resolve("pki");
    return new String[] {
      "--cert",
      pki.resolve(name + ".crt").toString(),
      "--key",
      pki.resolve(name + ".key").toString()
    };
  }

  private String status(String url, String... more) {
    List<String> line =
        new ArrayList<>(
            List.of("curl", "-sk", "--max-time", "60", "-o", "/dev/null", "-w", "%{http_code}"));
    line.addAll(List.of(more));
    line.add(url);
    return pods.instance().run("", line).output();
  }
}
