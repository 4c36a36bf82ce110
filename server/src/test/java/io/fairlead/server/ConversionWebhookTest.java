package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.server.webhook.TestWebhook;
import io.fairlead.store.Write;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
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

  /// One object that the webhook need not see lies between two that it converts.
  @Test
  void aListTakesOneReview(@TempDir Path keys) throws Exception {
    try (TestServer server = TestServer.start();
        TestWebhook hook = TestWebhook.answering(keys, ConversionWebhookTest::converted)) {
      define(server, hook);
      for (String each : List.of("a", "b", "c")) {
        boolean old = each.equals("b");
        server.store.commit(
            List.of(
                new Write.Put(
                    "/registry/peers.example.com/peers/default/" + each,
                    ("{'apiVersion':'peers.example.com/"
                            + (old ? "v1" : "v2")
                            + "','kind':'Peer','metadata':{'name':'"
                            + each
                            + "','namespace':'default','uid':'"
                            + each
                            + "'},'"
                            + (old ? "host" : "address")
                            + "':'of-"
                            + each
                            + "'}")
                        .replace('\'', '"')
                        .getBytes(UTF_8),
                    Write.ABSENT)));
      }
      int before = hook.asked().size();
      JsonNode items = server.get(OLD).json().path("items");
      assertThat(items.valueStream().map(each -> each.path("host").asString("")))
          .containsExactly("of-a", "of-b", "of-c");
      assertThat(hook.asked()).hasSize(before + 1);
      assertThat(hook.asked().getLast().at("/request/objects").valueStream())
          .extracting(each -> each.at("/metadata/name").asString())
          .containsExactly("a", "c");
      assertThat(server.get(OLD).json().path("items")).hasSize(3);
      assertThat(server.get(OLD + "?fieldSelector=host%3Dof-c").json().path("items")).hasSize(1);
      assertThat(hook.asked()).as("what is converted is kept").hasSize(before + 1);
    }
  }

  /// What one object may not come back as, the second of two may not either.
  @Test
  void whatComesBackIsHeldAgainstWhatWasSent(@TempDir Path keys) throws Exception {
    AtomicReference<Consumer<ArrayNode>> fault = new AtomicReference<>(_ -> {});
    try (TestServer server = TestServer.start();
        TestWebhook hook =
            TestWebhook.answering(
                keys,
                request -> {
                  ObjectNode response = converted(request);
                  fault.get().accept((ArrayNode) response.path("convertedObjects"));
                  return response;
                })) {
      define(server, hook);
      for (String each : List.of("a", "b")) {
        server.post(
            NEW,
            "{'apiVersion':'peers.example.com/v2','kind':'Peer','metadata':{'name':'"
                + each
                + "'},'address':'x'}");
      }
      String webhook = "conversion webhook for peers.example.com/v2, Kind=Peer returned ";
      fault.set(ArrayNode::removeAll);
      assertThat(server.get(OLD).message()).isEqualTo(webhook + "0 objects, expected 2");
      fault.set(objects -> ((ObjectNode) objects.get(1)).put("apiVersion", "peers.example.com/v3"));
      assertThat(server.get(OLD).message())
          .isEqualTo(
              webhook
                  + "invalid converted object at index 1: invalid groupVersion (expected"
                  + " peers.example.com/v1, received peers.example.com/v3)");
      fault.set(objects -> ((ObjectNode) objects.get(0).path("metadata")).put("name", "c"));
      assertThat(server.get(OLD).message())
          .isEqualTo(
              webhook + "invalid converted object at index 0: must have the same name: a != c");
      assertThat(server.get(OLD + "/b").message())
          .isEqualTo(webhook + "invalid object: must have the same name: b != c");
      fault.set(_ -> {});
      assertThat(server.get(OLD).json().path("items")).hasSize(2);
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
