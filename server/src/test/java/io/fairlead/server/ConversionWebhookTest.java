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
         {'name':'v1','served':true,'storage':false,'schema':{'openAPIV3Schema':{'type':'object','properties':{'host':{'type':'string'}}}}},
         {'name':'v2','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object','properties':{'address':{'type':'string'}}}}}]}}
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
