package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.server.webhook.TestWebhook;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A definition with two versions, between which a program converts: what is `host` in one is
/// `address` in the other.
class ConversionWebhookTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String OLD = "/apis/peers.example.com/v1/namespaces/default/peers";
  private static final String NEW = "/apis/peers.example.com/v2/namespaces/default/peers";
  private static final String DEFINITION =
      """
      {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
       'metadata':{'name':'peers.peers.example.com'},
       'spec':{'group':'peers.example.com','scope':'Namespaced','names':{'plural':'peers','kind':'Peer'},
        'conversion':{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':%s}},
        'versions':[
         {'name':'v1','served':true,'storage':false,'selectableFields':[{'jsonPath':'.host'}],'schema':{'openAPIV3Schema':{'type':'object','properties':{'host':{'type':'string'}}}}},
         {'name':'v2','served':true,'storage':true,'selectableFields':[{'jsonPath':'.address'}],'schema':{'openAPIV3Schema':{'type':'object','properties':{'address':{'type':'string'}}}}}]}}
      """;

  private static ObjectNode converted(ObjectNode request) {
    ObjectNode response = Json.object();
    response.putObject("result").put("status", "Success");
    for (JsonNode each : request.path("objects")) {
      ObjectNode object = (ObjectNode) each.deepCopy();
      String wanted = Json.textOr(request, "", "desiredAPIVersion");
      object.put("apiVersion", wanted);
      String from = wanted.endsWith("v2") ? "host" : "address";
      JsonNode value = object.remove(from);
      if (value != null) {
        object.set(from.equals("host") ? "address" : "host", value);
      }
      response.withArray("convertedObjects").add(object);
    }
    return response;
  }

  private static void define(TestServer server, TestWebhook hook) {
    TestServer.Answer made = server.post(DEFINITIONS, DEFINITION.formatted(hook.clientConfig()));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    await().until(() -> server.get(OLD).code() == 200);
  }

  @Test
  void eachVersionIsShownAsItIs(@TempDir Path keys) throws Exception {
    try (TestServer server = TestServer.start();
        TestWebhook hook = TestWebhook.answering(keys, ConversionWebhookTest::converted)) {
      define(server, hook);
      TestServer.Answer made =
          server.post(
              OLD,
              "{'apiVersion':'peers.example.com/v1','kind':'Peer','metadata':{'name':'a'},'host':'h'}");
      assertThat(made.code()).as(made.text()).isEqualTo(201);
      var stored = server.store.get("/registry/peers.example.com/peers/default/a");
      assertThat(stored).isNotNull();
      assertThat(new String(Objects.requireNonNull(stored).value(), UTF_8))
          .contains("\"address\":\"h\"");
      assertThat(server.get(NEW + "/a").at("address")).isEqualTo("h");
      assertThat(server.get(OLD + "/a").at("host")).isEqualTo("h");
      assertThat(server.get(OLD).json().path("items").get(0).path("host").asString(""))
          .isEqualTo("h");
      int asked = hook.asked().size();
      assertThat(server.get(NEW + "/a").code()).isEqualTo(200);
      assertThat(hook.asked()).as("the stored version needs no conversion").hasSize(asked);
    }
  }

  @Test
  void fieldsAreSelectedAsTheVersionShowsThem(@TempDir Path keys) throws Exception {
    try (TestServer server = TestServer.start();
        TestWebhook hook = TestWebhook.answering(keys, ConversionWebhookTest::converted)) {
      define(server, hook);
      for (String each : List.of("a", "b")) {
        server.post(
            OLD,
            "{'apiVersion':'peers.example.com/v1','kind':'Peer','metadata':{'name':'"
                + each
                + "'},'host':'of-"
                + each
                + "'}");
      }
      String selected = "fieldSelector=host%3Dof-a";
      TestServer.Answer list = server.get(OLD + "?" + selected);
      assertThat(list.json().path("items").valueStream().map(each -> each.at("/metadata/name")))
          .extracting(JsonNode::asString)
          .containsExactly("a");
      assertThat(server.get(NEW + "?fieldSelector=address%3Dof-b").json().path("items")).hasSize(1);

      String watch = OLD + "?watch=true&timeoutSeconds=1&" + selected + "&resourceVersion=";
      assertThat(events(server.get(watch + "0"))).containsExactly("ADDED a");
      for (String change : List.of("a of-c", "b of-a")) {
        server
            .send("PATCH", NEW + "/" + change.substring(0, 1))
            .header("Content-Type", "application/merge-patch+json")
            .body("{'address':'" + change.substring(2) + "'}")
            .now();
      }
      String since = list.json().at("/metadata/resourceVersion").asString();
      assertThat(events(server.get(watch + since))).containsExactly("DELETED a", "ADDED b");
    }
  }

  private static List<String> events(TestServer.Answer answer) {
    return answer
        .text()
        .lines()
        .map(line -> Json.parse(line.getBytes(UTF_8)))
        .map(
            each ->
                each.path("type").asString() + " " + each.at("/object/metadata/name").asString())
        .toList();
  }

  @Test
  void aFailureNamesTheWebhookAndConcernsNoOtherKind(@TempDir Path keys) throws Exception {
    try (TestServer server = TestServer.start();
        TestWebhook hook =
            TestWebhook.answering(
                keys,
                _ -> {
                  ObjectNode response = Json.object();
                  response.putObject("result").put("status", "Failure").put("message", "no");
                  return response;
                })) {
      define(server, hook);
      TestServer.Answer refused =
          server.post(
              OLD,
              "{'apiVersion':'peers.example.com/v1','kind':'Peer','metadata':{'name':'a'},'host':'h'}");
      assertThat(refused.code()).isEqualTo(500);
      assertThat(refused.message())
          .isEqualTo("conversion webhook for peers.example.com/v1, Kind=Peer failed: no");
      for (String path : List.of("/api/v1/namespaces", NEW)) {
        assertThat(server.get(path).code()).isEqualTo(200);
      }
    }
  }
}
