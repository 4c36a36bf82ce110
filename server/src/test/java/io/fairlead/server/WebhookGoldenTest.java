package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.server.resources.SortedJson;
import io.fairlead.server.webhook.TestWebhook;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What kube-apiserver 1.36.4 asks webhooks, makes of their answers, and says of configurations,
/// recorded in `webhooks.json`: each line is a case with its answer. Where this server decides
/// otherwise the line has the `decided` message.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookGoldenTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";

  /// The words of a library for patches and of Go's JSON are not taken over.
  private static final Set<String> OTHER_WORDS =
      Set.of(
          "patch does not apply",
          "patch is no patch",
          "patch makes no object",
          "code 500",
          "no json",
          "config: url :");

  private final List<ObjectNode> asked = new CopyOnWriteArrayList<>();
  private TestServer server;
  private TestWebhook hook;
  private volatile ObjectNode response = Json.object();

  @BeforeAll
  void start(@TempDir Path keys) throws Exception {
    server = TestServer.start();
    hook = TestWebhook.serving(keys, (_, exchange) -> answer(exchange));
  }

  @AfterAll
  void stop() {
    hook.close();
    server.close();
  }

  private void answer(HttpServerExchange exchange) throws Exception {
    ObjectNode review = Json.parseObject(exchange.body().readAllBytes());
    asked.add(review);
    ObjectNode said = response.deepCopy();
    JsonNode raw = said.remove("_raw");
    int code = said.path("_code").asInt(200);
    if (raw != null) {
      TestWebhook.send(exchange, code, raw.asString("").getBytes(UTF_8));
      return;
    }
    ObjectNode document = Json.object();
    document.put("kind", said.path("_kind").asString("AdmissionReview"));
    document.put("apiVersion", said.path("_av").asString("admission.k8s.io/v1"));
    if (!said.has("uid") && !said.has("_uid")) {
      said.set("uid", review.path("request").path("uid"));
    }
    if (!said.has("_noresp")) {
      document.set("response", said);
    }
    TestWebhook.send(exchange, 200, Json.bytes(document));
  }

  @TestFactory
  Stream<DynamicTest> recorded() throws Exception {
    try (InputStream file = getClass().getResourceAsStream("webhooks.json")) {
      List<DynamicTest> tests = new ArrayList<>();
      for (JsonNode each : Json.parse(file.readAllBytes())) {
        tests.add(DynamicTest.dynamicTest(each.path("name").asString(""), () -> run(each)));
      }
      return tests.stream();
    }
  }

  private void run(JsonNode row) {
    row.path("before").forEach(this::send);
    for (JsonNode each : row.path("configurations")) {
      Answer made = server.post(GROUP + each.get(0).asString(""), filled(each.get(1)));
      assertThat(made.code()).as(made.text()).isEqualTo(201);
    }
    response =
        row.path("response") instanceof ObjectNode said ? said : Json.object().put("allowed", true);
    asked.clear();
    try {
      compare(row, send(row.path("step")));
    } finally {
      response = Json.object().put("allowed", true);
      for (String plural :
          List.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations")) {
        server.send("DELETE", GROUP + plural).now();
      }
      row.path("after").forEach(this::send);
    }
  }

  private Answer send(JsonNode step) {
    return server
        .send(step.path("method").asString(""), step.path("path").asString(""))
        .header("Content-Type", step.path("type").asString("application/json"))
        .body(step.has("body") ? filled(step.path("body")).getBytes(UTF_8) : new byte[0])
        .now();
  }

  private String filled(JsonNode body) {
    return body.toString().replace("\"$CLIENT\"", hook.clientConfig().replace('\'', '"'));
  }

  private void compare(JsonNode row, Answer answer) {
    JsonNode wanted = row.path("answer");
    assertThat(answer.code()).as(answer.text()).isEqualTo(wanted.path("code").asInt(0));
    String uid = asked.isEmpty() ? "no uid" : asked.getLast().at("/request/uid").asString("");
    if (answer.code() >= 400 && !OTHER_WORDS.contains(row.path("name").asString(""))) {
      assertThat(answer.message().replace(uid, "UID"))
          .isEqualTo(row.path("decided").asString(wanted.path("message").asString("")));
      assertThat(answer.json().path("reason").asString(""))
          .isEqualTo(wanted.path("reason").asString(""));
    }
    if (wanted.path("asked") instanceof ArrayNode reviews) {
      List<String> seen = asked.stream().map(each -> scrubbed(each)).toList();
      assertThat(seen).isEqualTo(reviews.valueStream().map(each -> scrubbed(each)).toList());
    } else {
      assertThat(asked).hasSize(wanted.path("asked").asInt(0));
    }
  }

  /// Without what differs from run to run, and in one order.
  private static String scrubbed(JsonNode review) {
    JsonNode copy = review.deepCopy();
    scrub(copy);
    ((ObjectNode) copy.path("request")).remove("userInfo");
    return SortedJson.text(copy);
  }

  private static void scrub(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove("managedFields");
      for (Map.Entry<String, JsonNode> each : List.copyOf(object.properties())) {
        boolean varies =
            Set.of("uid", "creationTimestamp", "resourceVersion").contains(each.getKey());
        if (varies && each.getValue().isString()) {
          object.put(each.getKey(), "X");
        } else {
          scrub(each.getValue());
        }
      }
    } else {
      node.forEach(WebhookGoldenTest::scrub);
    }
  }
}
