package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.server.TestServer.Answer;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Definitions as controllers bring them along: with all that tools which write them use, and as
/// large as a definition is that holds a whole pod.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LargeDefinitionsTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String PEERS =
      "/apis/net.example.com/v1beta2/namespaces/default/routerpeers";
  private static final String REFERENCE = "#/components/schemas/";

  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start();
    try (InputStream in =
        Objects.requireNonNull(getClass().getResourceAsStream("network-definitions.yaml"))) {
      for (ObjectNode each : Yaml.objects(new String(in.readAllBytes(), UTF_8))) {
        Answer made = server.post(DEFINITIONS, each.toString());
        assertThat(made.code()).as(made.text()).isEqualTo(201);
      }
    }
    assertThat(server.get(PEERS).code()).as("it is served when it is made").isEqualTo(200);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private Answer peer(String name, String spec) {
    return server.post(
        PEERS,
        "{'apiVersion':'net.example.com/v1beta2','kind':'RouterPeer','metadata':{'name':'"
            + name
            + "'},'spec':{"
            + spec
            + "}}");
  }

  @Test
  void whatIsLeftOutIsFilledInAndWhatIsUnknownGoes() {
    Answer made =
        peer(
            "a",
            "'address':'192.0.2.1','myASN':64512,'peerASN':64513,'connectTime':'5s',"
                + "'routes':[{'prefix':'p'}],'unknown':1,'bandwidth':'1G','raw':{'any':[1]},"
                + "'template':{'apiVersion':'v1','kind':'Pod','metadata':{'name':'x'},'free':1}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    JsonNode spec = made.json().path("spec");
    assertThat(spec.path("port").asInt(0)).isEqualTo(179);
    assertThat(spec.path("disable").asBoolean(true)).isFalse();
    assertThat(spec.at("/routes/0/metric").asInt(0)).isEqualTo(10);
    assertThat(spec.has("unknown")).isFalse();
    assertThat(spec.at("/raw/any/0").asInt(0)).isEqualTo(1);
    assertThat(spec.at("/template/free").asInt(0)).isEqualTo(1);
    JsonNode table =
        server
            .send("GET", PEERS)
            .header("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io")
            .now()
            .json();
    assertThat(table.path("columnDefinitions").valueStream())
        .extracting(each -> each.path("name").asString(""))
        .containsExactly("Name", "Address", "ASN", "Profile", "Ready", "Age");
    assertThat(table.at("/rows/0/cells/2").asString("")).isEqualTo("64513");
    assertThat(server.get(PEERS + "?fieldSelector=spec.address%3D192.0.2.1").json().path("items"))
        .hasSize(1);
  }

  @Test
  void whatTheSchemaForbidsIsRefused() {
    String good = "'address':'192.0.2.1','myASN':1,'peerASN':2";
    Map<String, String> refused =
        Map.of(
            "'address':'192.0.2.1','myASN':1",
            "one of peerASN and dynamicASN",
            good + ",'connectTime':'1500ms'",
            "a whole number of seconds",
            good + ",'connectTime':'0s'",
            "between 1 and 65535 seconds",
            good + ",'port':20000",
            "spec.port",
            good + ",'communities':['1:1','1:1']",
            "Duplicate value",
            good + ",'routes':[{'prefix':'p'},{'prefix':'p'}]",
            "Duplicate value",
            "'address':'not an address','myASN':1,'peerASN':2",
            "spec.address",
            "'address':'192.0.2.1','myASN':1,'dynamicASN':'both'",
            "Unsupported value");
    refused.forEach(
        (spec, words) -> {
          Answer answer = peer("refused", spec);
          assertThat(answer.code()).as(spec + answer.text()).isEqualTo(422);
          assertThat(answer.message()).as(spec).contains(words);
        });
  }

  /// The webhook is not there; what needs no conversion does not ask for it.
  @Test
  void anotherVersionNeedsItsWebhook() {
    assertThat(peer("b", "'address':'192.0.2.2','myASN':1,'peerASN':2").code()).isEqualTo(201);
    Answer old = server.get(PEERS.replace("v1beta2", "v1beta1"));
    assertThat(old.code()).isEqualTo(500);
    assertThat(old.message()).startsWith("conversion webhook for net.example.com/v1beta2");
    assertThat(old.header("Warning")).contains("RouterPeer is deprecated, use v1beta2");
    assertThat(server.get(PEERS + "/b").code()).isEqualTo(200);
  }

  /// The schema of a PodTemplateSpec, as this server publishes it, with every reference resolved.
  private ObjectNode podTemplate() {
    JsonNode all = server.get("/openapi/v3/api/v1").json().at("/components/schemas");
    return structural(all.path("io.k8s.api.core.v1.PodTemplateSpec"), all);
  }

  private static ObjectNode structural(JsonNode schema, JsonNode all) {
    JsonNode at = schema.has("allOf") ? schema.at("/allOf/0") : schema;
    String reference = Json.textOr(at, "", "$ref");
    JsonNode found = reference.isEmpty() ? at : all.path(reference.substring(REFERENCE.length()));
    ObjectNode out = Json.object();
    if (found.has("oneOf") || Json.textOr(found, "", "format").equals("int-or-string")) {
      return out.put("x-kubernetes-int-or-string", true);
    }
    for (String kept :
        List.of("type", "format", "description", "required", "x-kubernetes-map-type")) {
      if (found.has(kept)) {
        out.set(kept, found.get(kept));
      }
    }
    if (found.has("items")) {
      out.set("items", structural(found.get("items"), all));
    }
    if (found.has("additionalProperties")) {
      out.set("additionalProperties", structural(found.get("additionalProperties"), all));
    }
    found
        .path("properties")
        .properties()
        .forEach(
            each ->
                out.withObject("/properties").set(each.getKey(), structural(each.getValue(), all)));
    if (out.path("type").asString("").equals("object")
        && !out.has("properties")
        && !out.has("additionalProperties")) {
      out.put("x-kubernetes-preserve-unknown-fields", true);
    }
    return out;
  }

  @Test
  void aDefinitionThatHoldsAPodIsServedAtOnce() {
    ObjectNode definition =
        Json.parseObject(
            """
            {"metadata":{"name":"stacks.large.example.com"},"spec":{"group":"large.example.com",
             "scope":"Namespaced","names":{"plural":"stacks","kind":"Stack"},"versions":[
             {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object",
              "properties":{"spec":{"type":"object"}}}}}]}}
            """
                .getBytes(UTF_8));
    ObjectNode spec =
        definition.withObject("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
    for (String member : List.of("web", "worker", "batch")) {
      spec.withObject("/properties").set(member, podTemplate());
    }
    String text = definition.toString().replace("'", "\\u0027");
    assertThat(text.length()).as("as large as the largest there are").isGreaterThan(600_000);
    Answer made = server.post(DEFINITIONS, text);
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    String stacks = "/apis/large.example.com/v1/namespaces/default/stacks";
    assertThat(server.get(stacks).code()).as("it is served when it is made").isEqualTo(200);
    Answer stack =
        server.post(
            stacks,
            "{'apiVersion':'large.example.com/v1','kind':'Stack','metadata':{'name':'s'},"
                + "'spec':{'web':{'spec':{'containers':[{'name':'c','ports':[{'containerPort':1}],"
                + "'nothing':1}]}}}}");
    assertThat(stack.code()).as(stack.text()).isEqualTo(201);
    assertThat(stack.json().at("/spec/web/spec/containers/0")).hasSize(2);
    assertThat(
            server
                .post(
                    stacks,
                    "{'apiVersion':'large.example.com/v1','kind':'Stack','metadata':{'name':'t'},"
                        + "'spec':{'web':{'spec':{}}}}")
                .message())
        .contains("spec.web.spec.containers: Required value");
    Answer changed =
        server
            .send("PATCH", DEFINITIONS + "/stacks.large.example.com")
            .header("Content-Type", "application/json-patch+json")
            .body(
                "[{'op':'add','path':'/spec/versions/0/schema/openAPIV3Schema/properties/spec/required',"
                    + "'value':['batch']}]")
            .now();
    assertThat(changed.code()).as(changed.text()).isEqualTo(200);
    assertThat(
            server
                .post(
                    stacks,
                    "{'apiVersion':'large.example.com/v1','kind':'Stack','metadata':{'name':'u'},"
                        + "'spec':{}}")
                .message())
        .as("the changed definition is in force for the next request")
        .contains("spec.batch: Required value");
  }
}
