package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.systempod.KubeProxyConfigMap;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.proxy.mode.ControlSocket;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// The command line of `mode` against a socket that answers as a proxy does, and where the proxy's
/// mode comes from.
class ModeCommandTest {
  @TempDir Path directory;

  private final CommandLineHarness harness = new CommandLineHarness();
  private final List<ObjectNode> asked = new ArrayList<>();

  private CommandLineHarness.Result run(String answer, String... words) throws IOException {
    Path path = directory.resolve("proxy.sock");
    ObjectNode said = (ObjectNode) Json.parse(answer.getBytes(StandardCharsets.UTF_8));
    try (ControlSocket _ =
        ControlSocket.open(
            path,
            order -> {
              asked.add(order);
              return said;
            })) {
      List<String> line = new ArrayList<>(List.of("mode", "--control=" + path));
      line.addAll(List.of(words));
      return harness.run(line.toArray(String[]::new));
    }
  }

  @Test
  void withoutAnOperandItSaysTheMode() throws IOException {
    var result = run("{\"mode\": \"nftables\", \"was\": \"nftables\"}");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).isEqualTo("mode nftables\n");
    assertThat(asked.getFirst().has("mode")).isFalse();
  }

  @Test
  void aChangeSaysWhatBecomesOfConnections() throws IOException {
    var kept = run("{\"mode\": \"userspace\", \"was\": \"iptables\"}", "userspace");
    assertThat(kept.out())
        .startsWith("mode userspace, was iptables\n")
        .contains("connections of mode iptables live on in the kernel")
        .contains("connections of this mode end with the proxy", "when it is killed");
    assertThat(asked.getFirst().path("mode").asString("")).isEqualTo("userspace");
    var carried =
        run("{\"mode\": \"nftables\", \"was\": \"userspace\", \"carried\": 3}", "nftables");
    assertThat(carried.out()).contains("connections of userspace mode", "this proxy runs: 3");
    var ending = run("{\"mode\": \"nftables\", \"was\": \"ipvs\", \"ending\": true}", "nftables");
    assertThat(ending.out()).contains("connections through IPVS had five seconds to end");
  }

  @Test
  void whatIsLeftIsAFault() throws IOException {
    var result =
        run(
            "{\"mode\": \"nftables\", \"was\": \"iptables\", \"left\": [\"IPv4: busy\"]}",
            "nftables");
    assertThat(result.exit()).isEqualTo(ExitCode.FAULT_FOUND);
    assertThat(result.out()).contains("not taken away: IPv4: busy");
  }

  @Test
  void programsGetADocument() throws IOException {
    var result = run("{\"mode\": \"nftables\", \"was\": \"iptables\"}", "nftables", "-o", "json");
    var document = Json.parse(result.out().getBytes(StandardCharsets.UTF_8));
    assertThat(document.path("kind").asString("")).isEqualTo("ProxyMode");
    assertThat(document.path("was").asString("")).isEqualTo("iptables");
  }

  @Test
  @Provokes(ErrorCode.FL222)
  void aModeThatCannotBeHadIsNamed() throws IOException {
    var result = run("{\"mode\": \"iptables\", \"error\": \"no ip_vs here\"}", "ipvs");
    assertThat(result.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("FL222", "stays in mode iptables", "no ip_vs here");
  }

  @Test
  void theCommonReasonIsInTheUsersLanguage() throws IOException {
    String error = "the kernel has no IPVS (module ip_vs is not loaded and cannot be)";
    String answer = "{\"mode\": \"iptables\", \"error\": \"" + error + "\"}";
    assertThat(run(answer, "ipvs").err()).contains("why:  " + error + "\n");
    harness.with("FAIRLEAD_LANG", "zh-CN");
    assertThat(run(answer, "ipvs").err())
        .contains("内核没有 IPVS（模块 ip_vs 未加载，也无法加载）")
        .doesNotContain("the kernel");
  }

  @Test
  @Provokes(ErrorCode.FL221)
  void withoutAProxyTheCommandSaysWhatToDo() {
    var result = harness.run("mode", "nftables", "--control=" + directory.resolve("nobody.sock"));
    assertThat(result.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(result.err()).contains("FL221", "fairlead proxy");
  }

  @Test
  void theClustersConfigMapIsTheConfiguration() throws Exception {
    ResourceType maps = new ResourceType("", "v1", "configmaps", "ConfigMap", true);
    try (Client client = new Client(new FakeApi(List.of(maps)))) {
      assertThat(KubeProxyConfigMap.find(client, _ -> {})).isEmpty();
      ObjectNode map = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
      map.putObject("metadata").put("namespace", "kube-system").put("name", "kube-proxy");
      map.putObject("data")
          .put(
              "config.conf",
              """
              apiVersion: kubeproxy.config.k8s.io/v1alpha1
              kind: KubeProxyConfiguration
              mode: "ipvs"
              """);
      client.create(maps, "kube-system", map);
      assertThat(KubeProxyConfigMap.find(client, _ -> {}))
          .hasValueSatisfying(text -> assertThat(text).contains("mode: \"ipvs\""));
    }
  }
}
