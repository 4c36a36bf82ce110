package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeInstance.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.kernel.process.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// The ways in: through the API server to pods, Services and nodes, to the node's own server, and
/// who may not take them.
record DoorRows(TalkativePods pods) {
  Stream<DynamicTest> rows() {
    return Stream.of(
        dynamicTest("pods, Services and nodes are reached by proxy", this::proxies),
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
      Tool.Result refused = pods.kubectl(all.toArray(String[]::new));
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
