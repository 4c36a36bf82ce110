package io.fairlead.e2e.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.e2e.FairleadCli;
import io.fairlead.e2e.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// `fairlead controllers` as processes of their own, with the certificate of the controller
/// manager.
@Tag("system")
class ControllersCommandTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Pattern READY = Pattern.compile("url=https://127\\.0\\.0\\.1:(\\d+) ready");

  @TempDir Path home;
  private final List<Process> processes = new ArrayList<>();
  private final HttpClient http = TestServer.http();

  @AfterEach
  void end() {
    processes.forEach(Process::destroyForcibly);
  }

  private Path kubeconfig(TestServer server) throws IOException {
    Path pki = home.resolve("pki");
    return Files.writeString(
        home.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        clusters:
        - {name: c, cluster: {server: "%s", certificate-authority: "%s"}}
        users:
        - {name: c, user: {client-certificate: "%s", client-key: "%s"}}
        contexts:
        - {name: c, context: {cluster: c, user: c}}
        """
            .formatted(
                server.url(),
                pki.resolve("ca.crt"),
                pki.resolve("kube-controller-manager.crt"),
                pki.resolve("kube-controller-manager.key")));
  }

  private record Running(Process process, Path log) {
    int port() throws IOException {
      await().atMost(LONG).until(() -> READY.matcher(text()).find());
      Matcher matcher = READY.matcher(text());
      assertThat(matcher.find()).isTrue();
      return Integer.parseInt(matcher.group(1));
    }

    String text() throws IOException {
      return Files.readString(log);
    }
  }

  private Running start(String name, Path kubeconfig) throws IOException {
    Path log = home.resolve(name + ".log");
    Process process =
        new ProcessBuilder(
                FairleadCli.launcher(home).toString(),
                "controllers",
                "--kubeconfig=" + kubeconfig,
                "--client-ca-file=" + home.resolve("pki/ca.crt"),
                "--secure-port=0",
                "--leader-elect-lease-duration=3s",
                "--leader-elect-renew-deadline=2s",
                "--leader-elect-retry-period=300ms")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    processes.add(process);
    return new Running(process, log);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder get(String url, String token) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private void create(TestServer server, String path, String yaml) throws Exception {
    HttpResponse<String> answer =
        send(
            get(server.url() + path, server.token())
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(yaml)));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
  }

  private JsonNode object(TestServer server, String path) throws Exception {
    return Yaml.parse(send(get(server.url() + path, server.token())).body());
  }

  @Test
  void oneLeadsAnotherTakesOverAndBothTellOnlyThoseWhoMayKnow() throws Exception {
    try (TestServer server = TestServer.withoutControllers(home, 34)) {
      Path kubeconfig = kubeconfig(server);
      Running first = start("first", kubeconfig);
      create(
          server,
          "/api/v1/namespaces/default/services",
          """
          {apiVersion: v1, kind: Service, metadata: {name: web},
           spec: {selector: {app: web}, ports: [{port: 80}]}}
          """);
      String endpoints = "/api/v1/namespaces/default/endpoints/web";
      await()
          .atMost(LONG)
          .until(() -> object(server, endpoints).path("kind").asString("").equals("Endpoints"));

      Running second = start("second", kubeconfig);
      String standby = "https://127.0.0.1:" + second.port();
      assertThat(send(get(standby + "/healthz", "")).body()).isEqualTo("ok");
      HttpResponse<String> asked = send(get(standby + "/fairlead/reasons", server.token()));
      assertThat(asked.statusCode()).isEqualTo(503);
      assertThat(asked.body()).contains("another process leads");

      first.process().destroyForcibly().waitFor();
      create(
          server,
          "/api/v1/namespaces/default/services",
          """
          {apiVersion: v1, kind: Service, metadata: {name: late},
           spec: {selector: {app: web}, ports: [{port: 80}]}}
          """);
      create(
          server,
          "/api/v1/namespaces/default/pods",
          """
          {apiVersion: v1, kind: Pod, metadata: {name: p, labels: {app: web}},
           spec: {containers: [{name: c, image: i}]}}
          """);
      await()
          .atMost(LONG)
          .until(
              () ->
                  object(server, "/api/v1/namespaces/default/endpoints/late")
                      .path("kind")
                      .asString("")
                      .equals("Endpoints"));

      String reasons = standby + "/fairlead/reasons?namespace=default&service=late";
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                JsonNode document = Yaml.parse(send(get(reasons, server.token())).body());
                JsonNode pod = document.path("items").path(0).path("pods").path(0);
                assertThat(Json.text(pod, "name")).isEqualTo("p");
                assertThat(pod.path("reasons").path(0).path("code").asString(""))
                    .isEqualTo("NoAddress");
              });
      assertThat(send(get(reasons, "")).statusCode()).isEqualTo(403);
      assertThat(send(get(reasons, "wrong")).statusCode()).isEqualTo(401);
      assertThat(
              send(get(reasons, server.token()).POST(BodyPublishers.ofString("{}"))).statusCode())
          .isEqualTo(405);
      assertThat(send(get(standby + "/metrics", server.token())).body())
          .contains("leader_election_master_status{name=\"kube-controller-manager\"} 1.0")
          .contains("workqueue_depth{name=\"endpoints-controller\"}");

      second.process().destroy();
      assertThat(second.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(second.process().exitValue()).as(second.text()).isZero();
      assertThat(
              Json.textOr(
                  object(
                      server,
                      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager"),
                  "none",
                  "spec",
                  "holderIdentity"))
          .isIn("", "none");
    }
  }
}
