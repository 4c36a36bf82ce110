package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.server.pki.FrontProxy;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import io.fairlead.server.webhook.TestWebhook;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// An API that another server serves, which is one of this process with TLS.
class AggregatedApiTest {
  private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path keys;

  private record Asked(String target, List<String> users, List<String> groups, String subject) {}

  private final ConcurrentLinkedQueue<Asked> asked = new ConcurrentLinkedQueue<>();

  /// Services lead to no loopback address, so the other server listens on one of this machine.
  private static String ownAddress() throws Exception {
    for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress address : each.inetAddresses().toList()) {
        if (address instanceof Inet4Address
            && !address.isLoopbackAddress()
            && !address.isLinkLocalAddress()) {
          return address.getHostAddress();
        }
      }
    }
    Assumptions.abort("this machine has no address but loopback");
    return "";
  }

  private void answer(HttpServerExchange exchange) throws Exception {
    asked.add(
        new Asked(
            exchange.method() + " " + exchange.uri(),
            exchange.headers("X-Remote-User"),
            exchange.headers("X-Remote-Group"),
            exchange.clientCertificates().isEmpty()
                ? ""
                : exchange.clientCertificates().getFirst().getSubjectX500Principal().getName()));
    String path = exchange.path();
    if (path.equals("/apis/wardle.example.com/v1")) {
      TestWebhook.send(
          exchange,
          200,
          ("{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":"
                  + "\"wardle.example.com/v1\",\"resources\":[{\"name\":\"flunders\","
                  + "\"singularName\":\"flunder\",\"namespaced\":true,\"kind\":\"Flunder\","
                  + "\"verbs\":[\"get\"]},{\"name\":\"flunders/status\",\"singularName\":\"\","
                  + "\"namespaced\":true,\"kind\":\"Flunder\",\"verbs\":[\"get\"]}]}")
              .getBytes(UTF_8));
    } else if (path.endsWith("/away")) {
      exchange.setHeader("Location", "https://192.0.2.1/");
      TestWebhook.send(exchange, 302, new byte[0]);
    } else {
      byte[] body = exchange.body().readAllBytes();
      TestWebhook.send(
          exchange, 200, ("{\"kind\":\"Flunder\",\"body\":" + body.length + "}").getBytes(UTF_8));
    }
  }

  @Test
  void requestsReachTheOtherServerAsTheirUser() throws Exception {
    String address = ownAddress();
    try (TestServer server = TestServer.startProxying(keys.resolve("own"));
        HttpServer wardle = HttpServer.start(address, 0, other().serverContext(), this::answer)) {
      server.post("/api/v1/namespaces", "{'metadata':{'name':'wardle'}}");
      String pem = Base64.getEncoder().encodeToString(other().caPem().getBytes(UTF_8));
      Answer made =
          server.post(
              SERVICES,
              "{'metadata':{'name':'v1.wardle.example.com'},'spec':{'group':'wardle.example.com',"
                  + "'version':'v1','groupPriorityMinimum':2000,'versionPriority':200,'caBundle':'"
                  + pem
                  + "','service':{'namespace':'wardle','name':'api'}}}");
      assertThat(made.code()).as(made.text()).isEqualTo(201);
      await().atMost(PATIENCE).until(() -> available(server).equals("ServiceNotFound"));
      assertThat(server.get("/apis/wardle.example.com/v1/flunders").code()).isEqualTo(503);
      server.post(
          "/api/v1/namespaces/wardle/services",
          "{'metadata':{'name':'api'},'spec':{'ports':[{'port':443}]}}");
      await().atMost(PATIENCE).until(() -> available(server).equals("MissingEndpoints"));
      server.post(
          "/apis/discovery.k8s.io/v1/namespaces/wardle/endpointslices",
          "{'metadata':{'name':'api','labels':{'kubernetes.io/service-name':'api'}},"
              + "'addressType':'IPv4','ports':[{'port':"
              + wardle.port()
              + "}],'endpoints':[{'addresses':['"
              + address
              + "']}]}");
      await().atMost(PATIENCE).until(() -> available(server).equals("Passed"));
      assertThat(asked.peek()).isNotNull();
      assertThat(asked.peek().users()).containsExactly("system:kube-aggregator");
      asked.clear();
      Answer sent =
          server
              .send("POST", "/apis/wardle.example.com/v1/namespaces/wardle/flunders?x=y")
              .header("X-Remote-User", "root")
              .header("X-Remote-Group", "system:masters")
              .body("{'a':1}")
              .now();
      assertThat(sent.code()).as(sent.text()).isEqualTo(200);
      assertThat(sent.json().path("body").asInt(0)).isEqualTo(7);
      assertThat(asked)
          .containsExactly(
              new Asked(
                  "POST /apis/wardle.example.com/v1/namespaces/wardle/flunders?x=y",
                  List.of("admin"),
                  List.of("system:masters"),
                  "CN=front-proxy-client"));
      asked.clear();
      server.get("/apis/wardle.example.com/v1/namespaces/other;a=b/../wardle;c/flunders?x=y");
      assertThat(asked)
          .as("what is sent is what was authorized")
          .extracting(Asked::target)
          .containsExactly("GET /apis/wardle.example.com/v1/namespaces/wardle/flunders?x=y");
      Answer away = server.get("/apis/wardle.example.com/v1/away");
      assertThat(away.code()).isEqualTo(502);
      assertThat(away.message()).contains("attempted to redirect this request");
      assertThat(
              server
                  .send("GET", "/apis/wardle.example.com/v1/flunders")
                  .header("Authorization", "Bearer nobody")
                  .now()
                  .code())
          .isEqualTo(403);
      await().atMost(PATIENCE).until(() -> server.get("/apis/wardle.example.com").code() == 200);
      assertThat(server.get("/apis").text()).contains("wardle.example.com/v1");
      JsonNode aggregated =
          server
              .send("GET", "/apis")
              .header(
                  "Accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
              .now()
              .json();
      JsonNode last = aggregated.path("items").get(aggregated.path("items").size() - 1);
      assertThat(last.at("/metadata/name").asString("")).isEqualTo("wardle.example.com");
      assertThat(last.at("/versions/0/resources/0/subresources/0/subresource").asString(""))
          .isEqualTo("status");
      assertThat(server.get("/apis/wardle.example.com/v1").text()).contains("flunders");
      assertThat(server.send("DELETE", SERVICES + "/v1.wardle.example.com").now().code())
          .isEqualTo(200);
      assertThat(server.get("/apis/wardle.example.com/v1/flunders").code()).isEqualTo(404);
      await().atMost(PATIENCE).until(() -> !server.get("/apis").text().contains("wardle"));
    }
  }

  /// The keys of the other server, which believes the front proxy of this one.
  private Pki other() {
    return Pki.open(
        keys.resolve("other"),
        new PkiOptions(
            List.of("api.wardle.svc"),
            Optional.of(keys.resolve("own/front-proxy-ca.crt")),
            Optional.empty(),
            Optional.empty(),
            InstantSource.system()));
  }

  private static String available(TestServer server) {
    return server
        .get(SERVICES + "/v1.wardle.example.com")
        .json()
        .at("/status/conditions/0/reason")
        .asString("");
  }

  @Test
  void whatIsServedHereIsListedAsLocal() throws Exception {
    try (TestServer server = TestServer.startProxying(keys)) {
      JsonNode core = server.get(SERVICES + "/v1.").json();
      assertThat(core.at("/spec/groupPriorityMinimum").asInt(0)).isEqualTo(18_000);
      assertThat(core.at("/status/conditions/0/status").asString("")).isEqualTo("True");
      assertThat(core.at("/status/conditions/0/reason").asString("")).isEqualTo("Local");
      assertThat(server.get(SERVICES + "/v2.autoscaling").code()).isEqualTo(200);
      JsonNode published =
          server
              .get("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication")
              .json()
              .path("data");
      assertThat(published.path("requestheader-allowed-names").asString(""))
          .isEqualTo("[\"" + FrontProxy.NAME + "\"]");
      assertThat(published.path("requestheader-client-ca-file").asString(""))
          .startsWith("-----BEGIN CERTIFICATE-----")
          .isNotEqualTo(published.path("client-ca-file").asString(""));
      assertThat(
              Json.parse(
                  published.path("requestheader-username-headers").asString("").getBytes(UTF_8)))
          .isEqualTo(Json.array().add("X-Remote-User"));
    }
  }
}
