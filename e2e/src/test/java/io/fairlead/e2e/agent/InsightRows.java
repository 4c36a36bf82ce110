package io.fairlead.e2e.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.databind.JsonNode;

/// Who may look into a node, and what the commands that ask it show of a running one.
record InsightRows(StreamTestPods pods) {
  private static final String NODE = "/fairlead/v1/nodes/fairlead/";
  private static final String TRACE =
      "{\"from\": {\"node\": true}, \"to\": {\"address\": \"127.0.0.1\", \"port\": 1}}";

  Stream<DynamicTest> rows() {
    return Stream.of(
        dynamicTest("v127 without an identity the node answers 401", this::nobody),
        dynamicTest("v127 a user without rights is told which", this::noRights),
        dynamicTest("v127 rights in a namespace open that namespace", this::namespaced),
        dynamicTest("v128 who may look may not send", this::lookOnly),
        dynamicTest("who may send may not send from every pod", this::notFromPods),
        dynamicTest("a caller is not believed to be another", this::impersonation),
        dynamicTest("the node's proxy is no way around its rights", this::byProxy),
        dynamicTest("a pod cannot reach the node's server", this::fromAPod),
        dynamicTest("v78 a trace from a pod to a Service", this::trace),
        dynamicTest("a trace through the API server", this::traceByApi),
        dynamicTest("top shows the Service", this::top),
        dynamicTest("v122 wait returns when the node's rules have it", this::programmed),
        dynamicTest("v119 verify finds rules that agree", this::verify),
        dynamicTest("v126 env shows what the agent gave", this::variables),
        dynamicTest("v104 history has the Service and its endpoint", this::history),
        dynamicTest("v105 history names who changed rules", this::foreignChange));
  }

  private CommandRunner.Result fairlead(String verb, String... words) throws IOException {
    List<String> line = new ArrayList<>(List.of(words));
    line.add("--kubeconfig=" + pods.instance().kubeconfig());
    return pods.instance().fairlead(verb, line.toArray(String[]::new));
  }

  private void programmed() throws IOException {
    CommandRunner.Result result = fairlead("wait", "svc/web", "--timeout=60s", "-o", "json");
    assertThat(result.exit()).as(result.output() + result.error()).isZero();
    JsonNode document = Json.parse(result.output().getBytes(UTF_8));
    assertThat(document.path("done").asBoolean()).isTrue();
    assertThat(document.path("nodes").path(0).path("source").asString()).isEqualTo("kernel");
    CommandRunner.Result rules =
        pods.kubectl("get", "--raw", NODE + "rules?namespace=default&service=web");
    assertThat(rules.output()).contains("\"agrees\":true", "\"verdict\":\"forward\"");
  }

  private void verify() throws IOException {
    CommandRunner.Result result = fairlead("verify", "--node=fairlead");
    assertThat(result.exit()).as(result.output() + result.error()).isZero();
    assertThat(result.output()).contains("✓ fairlead  nftables  ", " service ports agree");
  }

  private void variables() throws IOException {
    CommandRunner.Result result = fairlead("env", "pod/tools");
    assertThat(result.exit()).as(result.output() + result.error()).isZero();
    assertThat(result.output()).containsPattern("KUBERNETES_SERVICE_HOST=[0-9.]+ +record");
  }

  private void history() throws IOException {
    CommandRunner.Result result = fairlead("history", "svc/web", "-o", "json");
    assertThat(result.exit()).as(result.output() + result.error()).isZero();
    JsonNode changes = Json.parse(result.output().getBytes(UTF_8)).path("changes");
    assertThat(changes)
        .anyMatch(each -> Json.textOr(each, "", "what").equals("Service made"))
        .anyMatch(
            each ->
                Json.textOr(each, "", "what").startsWith("+1 endpoint ")
                    && Json.textOr(each.path("nodes").path(0), "", "state").equals("applied")
                    && each.path("nodes").path(0).path("millis").asLong()
                        >= each.path("slice").path("millis").asLong());
  }

  private void foreignChange() throws IOException {
    CommandRunner.Result broken =
        pods.instance().run("", List.of("nft", "delete", "table", "ip", "fairlead-proxy"));
    assertThat(broken.exit()).as(broken.error()).isZero();
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(fairlead("history", "--since=10m").output())
                    .containsPattern("rules changed by nft \\(pid [0-9]+\\) on fairlead"));
    assertThat(fairlead("wait", "svc/web", "--timeout=60s").exit()).isZero();
  }

  private CommandRunner.Result raw(String user, String path) {
    return pods.kubectl("get", "--raw", path, "--as=" + user);
  }

  private CommandRunner.Result post(String user, String body) {
    return pods.kubectl(
        pods.newest(), body, "create", "--raw", NODE + "traces", "-f", "-", "--as=" + user);
  }

  private String port() {
    return pods.kubectl(
            "get",
            "node",
            "fairlead",
            "-o",
            "jsonpath={.status.daemonEndpoints.kubeletEndpoint.Port}")
        .output()
        .strip();
  }

  private void must(String... words) {
    CommandRunner.Result result = pods.kubectl(words);
    assertThat(result.exit()).as(result.error()).isZero();
  }

  private void nobody() {
    String answer =
        pods.instance()
            .run("", List.of("curl", "-sk", "https://127.0.0.1:" + port() + "/fairlead/v1/about"))
            .output();
    assertThat(answer).contains("\"code\":401");
  }

  private void noRights() {
    CommandRunner.Result refused = raw("alice", NODE + "about");
    assertThat(refused.exit()).isNotZero();
    assertThat(refused.error())
        .contains("Forbidden", "\"alice\" cannot get resource \"nodes/insight\"");
  }

  private void namespaced() {
    must("create", "role", "looks", "--verb=get,list", "--resource=services,pods");
    must("create", "rolebinding", "looks", "--role=looks", "--user=ned");
    CommandRunner.Result own = raw("ned", NODE + "rules?namespace=default&service=web");
    assertThat(own.output()).as(own.error()).contains("\"kind\":\"NodeRules\"", "\"agrees\":true");
    assertThat(raw("ned", NODE + "rules?namespace=kube-system&service=kube-dns").error())
        .contains("cannot get resource \"nodes/insight\"");
    assertThat(raw("ned", NODE + "about?namespace=default").error()).contains("Forbidden");
    assertThat(raw("ned", NODE + "flows").error()).contains("Forbidden");
    JsonNode flows =
        Json.parse(raw("ned", NODE + "flows?namespace=default").output().getBytes(UTF_8));
    assertThat(flows.path("services"))
        .isNotEmpty()
        .allMatch(each -> Json.textOr(each, "", "namespace").equals("default"));
  }

  private void lookOnly() {
    must(
        "create", "clusterrolebinding", "view", "--clusterrole=fairlead-insight-view", "--user=vi");
    assertThat(raw("vi", NODE + "about").output()).contains("\"kind\":\"NodeAbout\"");
    assertThat(post("vi", TRACE).error())
        .contains("Forbidden", "cannot create resource \"nodes/insight\"");
  }

  private void notFromPods() {
    must(
        "create",
        "clusterrolebinding",
        "probe",
        "--clusterrole=fairlead-insight-probe",
        "--user=pro");
    CommandRunner.Result sent = post("pro", TRACE);
    assertThat(sent.output()).as(sent.error()).contains("\"kind\":\"TraceResult\"");
    String uid =
        pods.kubectl("get", "pod", "tools", "-o", "jsonpath={.metadata.uid}").output().strip();
    String from = TRACE.replace("\"node\": true", "\"pod\": \"" + uid + "\"");
    assertThat(post("pro", from).error()).contains("Forbidden", "cannot get resource \"pods\"");
    // Another user: what was refused is believed for ten seconds.
    must(
        "create",
        "clusterrolebinding",
        "probe-2",
        "--clusterrole=fairlead-insight-probe",
        "--user=exe");
    must("create", "role", "reads", "--verb=get", "--resource=pods");
    must("create", "rolebinding", "reads", "--role=reads", "--user=exe");
    assertThat(post("exe", from).error())
        .contains("Forbidden", "cannot create resource \"pods/exec\"");
  }

  /// Straight to the node: only the API server may say on whose behalf it asks.
  private void impersonation() {
    String token = pods.kubectl("create", "token", "default").output().strip();
    String answer =
        pods.instance()
            .run(
                "",
                List.of(
                    "curl",
                    "-sk",
                    "-H",
                    "Authorization: Bearer " + token,
                    "-H",
                    "Impersonate-User: system:admin",
                    "-H",
                    "Impersonate-Group: system:masters",
                    "https://127.0.0.1:" + port() + "/fairlead/v1/about"))
            .output();
    assertThat(answer).contains("\"code\":403", "impersonate");
  }

  /// The API server may do everything on a node; who asks through `nodes/proxy` may not.
  private void byProxy() {
    must("create", "clusterrole", "proxies", "--verb=get,create", "--resource=nodes/proxy");
    must("create", "clusterrolebinding", "proxies", "--clusterrole=proxies", "--user=pat");
    String proxy = "/api/v1/nodes/fairlead/proxy/";
    CommandRunner.Result listed = raw("pat", proxy + "pods");
    assertThat(listed.output()).as(listed.error()).contains("PodList");
    CommandRunner.Result looked = raw("pat", proxy + "fairlead/v1/about");
    assertThat(looked.output()).isEmpty();
    assertThat(looked.error()).contains("cannot get resource", "nodes/insight");
    for (String path : List.of("/fairlead/v1/about", "fairlead//v1/about")) {
      CommandRunner.Result twisted = raw("pat", proxy + path);
      assertThat(twisted.output()).as(path).isEmpty();
      assertThat(twisted.error()).as(path).contains("BadRequest", "empty segment");
    }
    CommandRunner.Result sent =
        pods.kubectl(
            pods.newest(),
            TRACE,
            "create",
            "--raw",
            proxy + "fairlead/v1/traces",
            "-f",
            "-",
            "--as=pat");
    assertThat(sent.output()).isEmpty();
    assertThat(sent.error()).contains("Forbidden", "cannot create resource");
  }

  private void fromAPod() {
    CommandRunner.Result reached =
        pods.kubectl(
            "exec", "tools", "--", "sh", "-c", "nc -w 2 192.0.2.1 " + port() + " </dev/null");
    assertThat(reached.exit()).isNotZero();
  }

  private void trace() throws IOException {
    CommandRunner.Result result =
        pods.instance()
            .fairlead(
                "trace",
                "--kubeconfig=" + pods.instance().kubeconfig(),
                "pod/tools",
                "to",
                "svc/web:80");
    assertThat(result.exit()).as(result.output()).isZero();
    assertThat(result.output())
        .contains("probe SYN ", " 1  pod tools", "packet enters from ", "web answered in ")
        .contains("conntrack", "nft trace", "netlink", "socket")
        .containsPattern("Reached 10\\.244\\.0\\.[0-9]+:9376 in ");
  }

  private void traceByApi() throws IOException {
    CommandRunner.Result result =
        pods.instance()
            .fairlead(
                "trace",
                "--kubeconfig=" + pods.instance().kubeconfig(),
                "--control=/nowhere",
                "node/fairlead",
                "to",
                "svc/web",
                "-o",
                "json");
    assertThat(result.exit()).as(result.output()).isZero();
    JsonNode document = Json.parse(result.output().getBytes(UTF_8));
    assertThat(Json.textOr(document, "", "result")).isEqualTo("reached");
    assertThat(Json.textOr(document, "", "endpoint", "pod")).isEqualTo("web");
    assertThat(Json.textOr(document, "", "table")).isEqualTo("removed");
  }

  private void top() throws IOException {
    CommandRunner.Result result =
        pods.instance()
            .fairlead(
                "top",
                "--kubeconfig=" + pods.instance().kubeconfig(),
                "svc/web",
                "--once",
                "--interval=100ms");
    assertThat(result.exit()).as(result.output()).isZero();
    assertThat(result.output()).contains("default/web ", "ENDPOINT", " web ", "100 %");
  }
}
