package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.work.LoopFaults;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Kinds that are defined while the server runs, from their definition to its end.
class CustomResourcesTest {
  private static final String DEFINITIONS =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String TABS = "/apis/stable.example.com/v1/namespaces/default/crontabs";
  private static final String DEFINITION =
      """
      {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
       'metadata':{'name':'crontabs.stable.example.com'},
       'spec':{'group':'stable.example.com','scope':'Namespaced',
        'names':{'plural':'crontabs','singular':'crontab','kind':'CronTab','shortNames':['ct'],'categories':['all']},
        'versions':[{'name':'v1','served':true,'storage':true,
         'additionalPrinterColumns':[{'name':'Replicas','type':'integer','jsonPath':'.spec.replicas'}],
         'selectableFields':[{'jsonPath':'.spec.cronSpec'}],
         'subresources':{'status':{},'scale':{'specReplicasPath':'.spec.replicas','statusReplicasPath':'.status.replicas','labelSelectorPath':'.status.labelSelector'}},
         'schema':{'openAPIV3Schema':{'type':'object','description':'A table of jobs.','properties':{
          'spec':{'type':'object','required':['cronSpec'],'properties':{
           'cronSpec':{'type':'string','pattern':'^[0-9 */]+$'},
           'image':{'type':'string','default':'busybox'},
           'replicas':{'type':'integer','minimum':1,'maximum':10},
           'ports':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['name'],
            'items':{'type':'object','required':['name'],'properties':{'name':{'type':'string'},'port':{'type':'integer'}}}},
           'free':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}},
          'status':{'type':'object','properties':{'replicas':{'type':'integer'},'labelSelector':{'type':'string'}}}}}}}]}}
      """;

  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    server = TestServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void define() {
    TestServer.Answer made = server.post(DEFINITIONS, DEFINITION);
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    await()
        .until(
            () ->
                server
                    .get(DEFINITIONS + "/crontabs.stable.example.com")
                    .text()
                    .contains("\"type\":\"Established\",\"status\":\"True\""));
  }

  private static String tab(String name, String spec) {
    return "{'apiVersion':'stable.example.com/v1','kind':'CronTab','metadata':{'name':'"
        + name
        + "'},'spec':"
        + spec
        + "}";
  }

  @Test
  void aDefinedKindIsServedAtOnce() {
    assertThat(server.post(DEFINITIONS, DEFINITION).code()).isEqualTo(201);
    TestServer.Answer made = server.post(TABS, tab("a", "{'cronSpec':'* * *'}"));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.at("spec", "image")).isEqualTo("busybox");
    assertThat(made.at("metadata", "generation")).isEqualTo("1");
  }

  @Test
  void anObjectGoesThroughAllVerbs() {
    define();
    TestServer.Answer made =
        server.post(
            TABS,
            tab("a", "{'cronSpec':'* * *','replicas':3,'unknown':1,'free':{'x':{'y':[1,null]}}}"));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.header("Warning")).contains("unknown field \\\"spec.unknown\\\"");
    assertThat(made.json().path("spec").has("unknown")).isFalse();
    assertThat(made.json().path("spec").path("free").toString())
        .isEqualTo("{\"x\":{\"y\":[1,null]}}");
    JsonNode list = server.get(TABS).json();
    assertThat(Json.textOr(list, "", "kind")).isEqualTo("CronTabList");
    assertThat(Json.textOr(list.path("items").get(0), "", "kind")).isEqualTo("CronTab");
    TestServer.Answer patched =
        server
            .send("PATCH", TABS + "/a")
            .header("Content-Type", "application/merge-patch+json")
            .body("{'spec':{'replicas':5}}")
            .now();
    assertThat(patched.code()).as(patched.text()).isEqualTo(200);
    assertThat(patched.at("metadata", "generation")).isEqualTo("2");
    assertThat(server.get(TABS + "/a/scale").at("spec", "replicas")).isEqualTo("5");
    TestServer.Answer status =
        server
            .send("PATCH", TABS + "/a/status")
            .header("Content-Type", "application/merge-patch+json")
            .body("{'status':{'replicas':2},'spec':{'replicas':9}}")
            .now();
    assertThat(status.code()).as(status.text()).isEqualTo(200);
    assertThat(status.at("spec", "replicas")).isEqualTo("5");
    assertThat(status.at("metadata", "generation")).isEqualTo("2");
    assertThat(server.get(TABS + "?fieldSelector=spec.cronSpec%3Dx").json().path("items").isEmpty())
        .isTrue();
    TestServer.Answer table =
        server
            .send("GET", TABS)
            .header("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1")
            .now();
    assertThat(table.json().path("rows").get(0).path("cells").toString()).isEqualTo("[\"a\",5]");
    assertThat(server.send("DELETE", TABS + "/a").now().code()).isEqualTo(200);
    assertThat(server.get(TABS + "/a").code()).isEqualTo(404);
  }

  @Test
  void aFieldGivenTwiceIsRefusedWhereThatIsAskedFor() {
    define();
    String applied =
        """

        apiVersion: stable.example.com/v1
        kind: CronTab
        metadata:
          name: a
        spec:
          cronSpec: "1"
          cronSpec: "2"
        """;
    TestServer.Answer refused = apply(applied, "Strict");
    assertThat(refused.code()).isEqualTo(400);
    assertThat(refused.message()).endsWith("line 8: key \"cronSpec\" already set in map");
    TestServer.Answer warned = apply(applied, "Warn");
    assertThat(warned.code()).isEqualTo(201);
    assertThat(warned.header("Warning"))
        .contains("line 8: key \\\"cronSpec\\\" already set in map");
  }

  private TestServer.Answer apply(String body, String validation) {
    return server
        .send("PATCH", TABS + "/a?fieldManager=t&fieldValidation=" + validation)
        .header("Content-Type", "application/apply-patch+yaml")
        .body(body.getBytes(UTF_8))
        .now();
  }

  @Test
  void ofARootThatTakesAnythingOpenApi2SaysNothing() {
    String open =
        DEFINITION
            .replace(
                "'description':'A table of jobs.'", "'x-kubernetes-preserve-unknown-fields':true")
            .replaceFirst("'selectableFields':\\[[^]]*\\],", "");
    assertThat(server.post(DEFINITIONS, open).code()).isEqualTo(201);
    assertThat(server.get(TABS).code()).isEqualTo(200);
    JsonNode schema =
        server.get("/openapi/v2").json().path("definitions").path("com.example.stable.v1.CronTab");
    assertThat(schema.path("type").asString()).isEqualTo("object");
    assertThat(schema.has("properties")).isFalse();
    assertThat(schema.has("x-kubernetes-preserve-unknown-fields")).isFalse();
    assertThat(schema.has("x-kubernetes-group-version-kind")).isTrue();
  }

  @Test
  void aWrongValueIsNamed() {
    define();
    TestServer.Answer refused = server.post(TABS, tab("a", "{'cronSpec':'x','replicas':11}"));
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .contains("spec.cronSpec: Invalid value: \"x\": spec.cronSpec in body should match")
        .contains(
            "spec.replicas: Invalid value: 11: spec.replicas in body should be less than or equal to 10");
  }

  @Test
  void discoveryAndOpenApiKnowTheKind() {
    define();
    assertThat(server.get("/apis/stable.example.com/v1").text()).contains("crontabs/scale");
    assertThat(server.get("/apis").text()).contains("stable.example.com");
    TestServer.Answer schema = server.get("/openapi/v3/apis/stable.example.com/v1");
    assertThat(schema.text())
        .contains("com.example.stable.v1.CronTab")
        .contains("A table of jobs.");
    assertThat(server.get("/openapi/v2").text()).contains("com.example.stable.v1.CronTabList");
  }

  @Test
  void appliesMergeTheItemsOfListsThatAreMaps() {
    define();
    for (String manager : List.of("one", "two")) {
      TestServer.Answer applied =
          server
              .send("PATCH", TABS + "/a?fieldManager=" + manager)
              .header("Content-Type", "application/apply-patch+yaml")
              .body(tab("a", "{'cronSpec':'*','ports':[{'name':'" + manager + "','port':1}]}"))
              .now();
      assertThat(applied.code()).as(applied.text()).isIn(200, 201);
    }
    assertThat(server.get(TABS + "/a").json().path("spec").path("ports")).hasSize(2);
  }

  @Test
  void aDefinitionTakesItsObjectsWithIt() {
    define();
    assertThat(server.post(TABS, tab("a", "{'cronSpec':'*'}")).code()).isEqualTo(201);
    assertThat(server.send("DELETE", DEFINITIONS + "/crontabs.stable.example.com").now().code())
        .isEqualTo(200);
    await()
        .untilAsserted(
            () ->
                assertThat(server.get(DEFINITIONS + "/crontabs.stable.example.com").code())
                    .isEqualTo(404));
    await().untilAsserted(() -> assertThat(server.get(TABS).code()).isEqualTo(404));
    assertThat(server.store.get("/registry/stable.example.com/crontabs/default/a")).isNull();
  }

  @Test
  void definitionsAreFollowedThoughAStepFailed() {
    assertThat(LoopFaults.failOnce("custom-resources")).isPositive();
    assertThat(LoopFaults.failOnce("custom-resource-cleanup")).isPositive();
    aDefinitionTakesItsObjectsWithIt();
  }

  @Test
  void aServerThatStartsAgainServesWhatWasDefined() throws Exception {
    define();
    assertThat(server.post(TABS, tab("a", "{'cronSpec':'*'}")).code()).isEqualTo(201);
    try (TestServer second =
        TestServer.start(new SharedStore(server.store), ApiServerConfig.Limits.DEFAULT)) {
      assertThat(second.get(TABS + "/a").code()).isEqualTo(200);
    }
  }

  @Test
  void watchersSeeWhatBecomesOfObjects() {
    define();
    assertThat(server.post(TABS, tab("a", "{'cronSpec':'*'}")).code()).isEqualTo(201);
    List<JsonNode> events = server.send("GET", TABS + "?watch=true&timeoutSeconds=1").lines();
    assertThat(events.getFirst().at("/object/spec/image").asString("")).isEqualTo("busybox");
  }
}
