package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServer;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.server.pki.Pki;
import io.fairlead.server.pki.PkiOptions;
import io.fairlead.server.webhook.TestWebhook;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What Kubernetes' own test of aggregated APIs does with an APIService and the objects behind it,
/// with a server of this process for the sample server.
class ApiServiceLifecycleTest {
  private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";
  private static final String NAME = "v1alpha1.wardle.example.com";
  private static final String GROUP = "/apis/wardle.example.com";
  private static final String FLUNDERS = GROUP + "/v1alpha1/namespaces/default/flunders";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path keys;

  private final Map<String, ObjectNode> flunders = new ConcurrentSkipListMap<>();

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

  /// The other server: objects by name, without versions.
  private void answer(HttpServerExchange exchange) throws Exception {
    String path = exchange.path();
    if (!path.startsWith(FLUNDERS)) {
      ObjectNode list = Json.object().put("kind", "APIResourceList").put("apiVersion", "v1");
      list.put("groupVersion", "wardle.example.com/v1alpha1")
          .withArray("resources")
          .addObject()
          .put("name", "flunders")
          .put("singularName", "flunder")
          .put("namespaced", true)
          .put("kind", "Flunder")
          .withArray("verbs")
          .add("create")
          .add("delete")
          .add("list");
      TestWebhook.send(exchange, 200, Json.bytes(list));
      return;
    }
    String name = path.substring(FLUNDERS.length()).replace("/", "");
    switch (exchange.method()) {
      case "POST" -> {
        ObjectNode made = Json.parseObject(exchange.body().readAllBytes());
        flunders.put(Json.textOr(made, "", "metadata", "name"), made);
        TestWebhook.send(exchange, 201, Json.bytes(made));
      }
      case "DELETE" -> {
        ObjectNode gone = flunders.remove(name);
        TestWebhook.send(exchange, gone == null ? 404 : 200, Json.bytes(Json.object()));
      }
      default -> {
        ObjectNode list = Json.object().put("kind", "FlunderList");
        flunders.values().forEach(list.withArray("items")::add);
        TestWebhook.send(exchange, 200, Json.bytes(list));
      }
    }
  }

  private Pki other() {
    return Pki.open(
        keys.resolve("other"),
        new PkiOptions(
            List.of("sample-api.default.svc"),
            Optional.of(keys.resolve("own/front-proxy-ca.crt")),
            Optional.empty(),
            Optional.empty(),
            InstantSource.system()));
  }

  private void register(TestServer server, String address, int port) {
    server.post(
        "/api/v1/namespaces/default/services",
        "{'metadata':{'name':'sample-api'},'spec':{'ports':[{'port':7443,'targetPort':443}]}}");
    server.post(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        "{'metadata':{'name':'api','labels':{'kubernetes.io/service-name':'sample-api'}},"
            + "'addressType':'IPv4','ports':[{'port':"
            + port
            + "}],'endpoints':[{'addresses':['"
            + address
            + "']}]}");
    String pem = Base64.getEncoder().encodeToString(other().caPem().getBytes(UTF_8));
    Answer made =
        server.post(
            SERVICES,
            "{'metadata':{'name':'"
                + NAME
                + "'},'spec':{'group':'wardle.example.com','version':'v1alpha1','caBundle':'"
                + pem
                + "','service':{'namespace':'default','name':'sample-api','port':7443},"
                + "'groupPriorityMinimum':2000,'versionPriority':200}}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    await().atMost(PATIENCE).until(() -> server.get(FLUNDERS).code() == 200);
  }

  private static Answer patch(TestServer server, String path, String patch) {
    return server
        .send("PATCH", path)
        .header("Content-Type", "application/merge-patch+json")
        .body(patch)
        .now();
  }

  private static JsonNode items(TestServer server, String path) {
    return server.get(path).json().path("items");
  }

  @Test
  void objectsBehindItAndTheServiceItself() throws Exception {
    String address = ownAddress();
    try (TestServer server = TestServer.startProxying(keys.resolve("own"));
        HttpServer sample = HttpServer.start(address, 0, other().serverContext(), this::answer)) {
      register(server, address, sample.port());
      objects(server);
      status(server);
      changes(server);
      removal(server);
    }
  }

  @Test
  void definedGroupsAreListedToo() throws Exception {
    try (TestServer server = TestServer.start()) {
      Answer made =
          server.post(
              "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
              "{'metadata':{'name':'widgets.index.example.com'},'spec':{'group':'index.example.com',"
                  + "'scope':'Cluster','names':{'plural':'widgets','kind':'Widget'},'versions':["
                  + "{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
                  + "{'type':'object'}}}]}}");
      assertThat(made.code()).as(made.text()).isEqualTo(201);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(server.get("/").json().path("paths").valueStream())
                      .extracting(JsonNode::asString)
                      .contains("/apis/index.example.com", "/apis/index.example.com/v1"));
    }
  }

  /// Created, listed and deleted through this server.
  private static void objects(TestServer server) {
    Answer made =
        server.post(
            FLUNDERS,
            "{'apiVersion':'wardle.example.com/v1alpha1','kind':'Flunder',"
                + "'metadata':{'name':'rest-flunder','labels':{'sample-label':'true'}}}");
    assertThat(made.code()).isEqualTo(201);
    assertThat(items(server, FLUNDERS)).hasSize(1);
    assertThat(server.send("DELETE", FLUNDERS + "/rest-flunder").now().code()).isEqualTo(200);
    assertThat(items(server, FLUNDERS)).isEmpty();
    assertThat(server.send("DELETE", FLUNDERS + "/rest-flunder").now().code()).isEqualTo(404);
    List<String> found = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              found.clear();
              server.get("/").json().path("paths").forEach(path -> found.add(path.asString()));
              return found.contains(GROUP);
            });
    assertThat(found).contains(GROUP, GROUP + "/v1alpha1");
  }

  /// Read, and replaced with one condition more.
  private static void status(TestServer server) {
    Answer read = server.get(SERVICES + "/" + NAME + "/status");
    assertThat(read.code()).isEqualTo(200);
    assertThat(read.json().at("/status/conditions/0/type").asString("")).isEqualTo("Available");
    assertThat(read.json().at("/status/conditions/0/status").asString("")).isEqualTo("True");
    ObjectNode changed = (ObjectNode) read.json();
    changed
        .withObject("/status")
        .withArray("conditions")
        .addObject()
        .put("type", "StatusUpdated")
        .put("status", "True")
        .put("reason", "E2E")
        .put("message", "Set from e2e test");
    Answer put =
        server.send("PUT", SERVICES + "/" + NAME + "/status").body(changed.toString()).now();
    assertThat(put.code()).as(put.text()).isEqualTo(200);
    assertThat(put.json().at("/status/conditions").valueStream())
        .extracting(each -> each.path("type").asString(""))
        .containsExactly("Available", "StatusUpdated");
  }

  /// Patched and replaced; the API goes on.
  private static void changes(TestServer server) {
    String path = SERVICES + "/" + NAME;
    assertThat(patch(server, path, "{'spec':{'versionPriority':400}}").code()).isEqualTo(200);
    assertThat(items(server, SERVICES).valueStream())
        .filteredOn(each -> each.at("/metadata/name").asString("").equals(NAME))
        .extracting(each -> each.at("/spec/versionPriority").asInt(0))
        .containsExactly(400);
    assertThat(patch(server, path, "{'metadata':{'labels':{'e2e':'patched'}}}").code())
        .isEqualTo(200);
    ObjectNode object = (ObjectNode) server.get(path).json();
    object.withObject("/metadata/labels").put("e2e", "updated");
    Answer replaced = server.send("PUT", path).body(object.toString()).now();
    assertThat(replaced.code()).as(replaced.text()).isEqualTo(200);
    assertThat(replaced.json().at("/status/conditions")).hasSizeGreaterThanOrEqualTo(1);
    assertThat(items(server, SERVICES + "?labelSelector=e2e%3Dupdated")).hasSize(1);
    assertThat(server.get(FLUNDERS).code()).isEqualTo(200);
  }

  /// Removed with all that have the label; no path is left of it.
  private static void removal(TestServer server) {
    int before = items(server, SERVICES).size();
    assertThat(server.send("DELETE", SERVICES + "?labelSelector=e2e%3Dupdated").now().code())
        .isEqualTo(200);
    assertThat(server.get(SERVICES + "/" + NAME).code()).isEqualTo(404);
    assertThat(items(server, SERVICES)).hasSize(before - 1);
    assertThat(server.get(FLUNDERS).code()).isEqualTo(404);
    await().atMost(PATIENCE).until(() -> !server.get("/").text().contains("wardle"));
  }
}
