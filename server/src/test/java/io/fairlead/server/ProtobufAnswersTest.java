package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.Envelope;
import io.fairlead.api.protobuf.ProtobufReader;
import io.fairlead.api.protobuf.ProtobufWriter;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.server.resource.ResourceDescriptor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What clients get that ask for protobuf. Every kind is compared in `EveryResourceTest`; whether
/// the generated classes of other clients read these bytes is shown in module `api`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProtobufAnswersTest {
  static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String SERVICE = "io.k8s.api.core.v1.Service";
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start();
    server.post(SERVICES, "{'metadata':{'name':'a'},'spec':{'ports':[{'port':80}]}}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void aCreatedObjectIsAnsweredInProtobuf() {
    Answer answer =
        server
            .send("POST", "/api/v1/namespaces/default/configmaps")
            .header("Accept", PROTOBUF)
            .body("{'metadata':{'name':'made'},'data':{'k':'v'}}")
            .now();
    assertThat(answer.code()).isEqualTo(201);
    assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF);
    ObjectNode made = decoded(answer, "io.k8s.api.core.v1.ConfigMap");
    assertThat(made.at("/kind").asString()).isEqualTo("ConfigMap");
    assertThat(made.at("/data/k").asString()).isEqualTo("v");
  }

  @Test
  void aDefinitionIsTakenAsProtobuf() {
    ObjectNode definition =
        Json.parseObject(
            ("{'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',"
                    + "'metadata':{'name':'boxes.example.com'},'spec':{'group':'example.com',"
                    + "'scope':'Namespaced','names':{'plural':'boxes','kind':'Box'},'versions':"
                    + "[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':"
                    + "{'type':'object','properties':{'sizes':{'type':'array','items':{'type':"
                    + "'integer','minimum':0}},'labels':{'type':'object','additionalProperties':"
                    + "{'type':'string','default':'none'}}}}}}]}}")
                .replace('\'', '"')
                .getBytes(StandardCharsets.UTF_8));
    StructType type =
        Schemas.kubernetes()
            .struct(
                "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1"
                    + ".CustomResourceDefinition");
    Answer answer =
        server
            .send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions")
            .header("Content-Type", PROTOBUF)
            .body(ProtobufWriter.write(definition, type))
            .now();
    assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    assertThat(answer.json().at("/spec/versions")).isEqualTo(definition.at("/spec/versions"));
  }

  @Test
  void anErrorIsAStatusInProtobuf() {
    Answer answer = server.send("GET", SERVICES + "/none").header("Accept", PROTOBUF).now();
    assertThat(answer.code()).isEqualTo(404);
    assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF);
    ObjectNode status = decoded(answer, META + "Status");
    assertThat(status.at("/message").asString()).isEqualTo("services \"none\" not found");
    assertThat(status.at("/details/kind").asString()).isEqualTo("services");
    assertThat(status.at("/code").asInt()).isEqualTo(404);
  }

  @Test
  void aDeletionThatAnswersAStatusDoesSoInProtobuf() {
    String maps = "/api/v1/namespaces/default/configmaps";
    server.post(maps, "{'metadata':{'name':'gone'}}");
    Answer answer = server.send("DELETE", maps + "/gone").header("Accept", PROTOBUF).now();
    assertThat(decoded(answer, META + "Status").at("/status").asString()).isEqualTo("Success");
  }

  @Test
  void aViewOfAnotherKindIsWrittenAsThatKind() {
    String deployments = "/apis/apps/v1/namespaces/default/deployments";
    server.post(
        deployments,
        "{'metadata':{'name':'d'},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},"
            + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c',"
            + "'image':'i'}]}}}}");
    Answer answer = server.send("GET", deployments + "/d/scale").header("Accept", PROTOBUF).now();
    ObjectNode scale = decoded(answer, "io.k8s.api.autoscaling.v1.Scale");
    assertThat(scale.at("/kind").asString()).isEqualTo("Scale");
    assertThat(scale.at("/status/selector").asString()).isEqualTo("a=b");
  }

  @Test
  void tablesHaveNoProtobufSoTheNextClauseIsTaken() {
    String table = ";as=Table;v=v1;g=meta.k8s.io";
    Answer answer =
        server
            .send("GET", SERVICES)
            .header("Accept", PROTOBUF + table + ",application/json" + table)
            .now();
    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    assertThat(answer.at("kind")).isEqualTo("Table");
    answer = server.send("GET", SERVICES).header("Accept", PROTOBUF + table).now();
    assertThat(answer.code()).isEqualTo(406);
    assertThat(decoded(answer, META + "Status").at("/message").asString())
        .isEqualTo(
            "only the following media types are accepted: application/json, application/yaml,"
                + " application/vnd.kubernetes.protobuf");
  }

  @Test
  void metadataAloneComesInProtobufToo() throws IOException {
    String item = ";as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    Answer one = server.send("GET", SERVICES + "/a").header("Accept", PROTOBUF + item).now();
    Envelope envelope = Envelope.open(one.response().body());
    assertThat(envelope.kind()).isEqualTo("PartialObjectMetadata");
    assertThat(envelope.apiVersion()).isEqualTo("meta.k8s.io/v1");
    assertThat(name(envelope.raw().array())).isEqualTo("a");

    String list = ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    Answer all = server.send("GET", SERVICES).header("Accept", PROTOBUF + list).now();
    envelope = Envelope.open(all.response().body());
    assertThat(envelope.kind()).isEqualTo("PartialObjectMetadataList");
    List<String> names = new ArrayList<>();
    for (byte[] entry : fields(envelope.raw().array(), 2)) {
      names.add(name(entry));
    }
    assertThat(names).containsExactly("a", "kubernetes");
  }

  /// Longer than what is encoded beforehand.
  @Test
  void aLongListIsWholeInProtobufAndYaml() {
    String padding = "x".repeat(200_000);
    for (int i = 0; i < 7; i++) {
      String body = "{'metadata':{'name':'long-" + i + "'},'data':{'text':'" + padding + i + "'}}";
      assertThat(server.post("/api/v1/namespaces/default/configmaps", body).code()).isEqualTo(201);
    }
    String path = "/api/v1/namespaces/default/configmaps";
    JsonNode json = server.get(path).json();
    JsonNode decoded =
        decoded(
            server.send("GET", path).header("Accept", PROTOBUF).now(),
            "io.k8s.api.core.v1.ConfigMapList");
    assertThat(decoded.path("items")).hasSizeGreaterThanOrEqualTo(7);
    assertThat(decoded.path("items")).isEqualTo(json.path("items"));
    JsonNode yaml =
        Yaml.parse(
            server.send("GET", path).header("Accept", "application/yaml").now().response().body());
    assertThat(yaml).isEqualTo(json);
  }

  @Test
  void aWatchIsAStreamOfFrames() throws IOException {
    Answer answer =
        server
            .send(
                "GET",
                SERVICES
                    + "?watch=1&timeoutSeconds=1&sendInitialEvents=true"
                    + "&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true")
            .header("Accept", PROTOBUF)
            .now();
    assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF + ";stream=watch");
    List<String> seen = new ArrayList<>();
    ByteBuffer stream = ByteBuffer.wrap(answer.response().body());
    while (stream.hasRemaining()) {
      byte[] event = new byte[stream.getInt()];
      stream.get(event);
      String type =
          new String(fields(event, 1).getFirst(), java.nio.charset.StandardCharsets.UTF_8);
      byte[] object = fields(fields(event, 2).getFirst(), 1).getFirst();
      ObjectNode service = ProtobufReader.read(object, struct(SERVICE));
      assertThat(service.at("/kind").asString()).isEqualTo("Service");
      seen.add(type + " " + service.at("/metadata/name").asString(""));
      if (seen.size() == 3) {
        assertThat(service.at("/metadata/annotations").toString())
            .isEqualTo("{\"k8s.io/initial-events-end\":\"true\"}");
      }
    }
    assertThat(seen).startsWith("ADDED a", "ADDED kubernetes", "BOOKMARK ");
  }

  @Test
  void aWatchThatFailsEndsWithAStatusFrame() throws Exception {
    server.store.compact(server.store.revision());
    try (TestServer later =
        TestServer.start(new SharedStore(server.store), ApiServerConfig.Limits.DEFAULT)) {
      Answer answer =
          later
              .send("GET", SERVICES + "?watch=1&resourceVersion=1&timeoutSeconds=20")
              .header("Accept", PROTOBUF)
              .now();
      ByteBuffer stream = ByteBuffer.wrap(answer.response().body());
      byte[] event = new byte[stream.getInt()];
      stream.get(event);
      byte[] object = fields(fields(event, 2).getFirst(), 1).getFirst();
      ObjectNode status = ProtobufReader.read(object, struct(META + "Status"));
      assertThat(status.at("/reason").asString()).isEqualTo("Expired");
      assertThat(stream.hasRemaining()).isFalse();
    }
  }

  /// An item and a list of it hold the same in protobuf as in JSON.
  static void compare(
      TestServer server, ResourceDescriptor descriptor, String collection, String name) {
    JsonNode json = server.get(collection + "/" + name).json();
    Answer answer = server.send("GET", collection + "/" + name).header("Accept", PROTOBUF).now();
    assertThat(decoded(answer, descriptor.schemaName())).isEqualTo(json);
    JsonNode list = server.get(collection).json();
    Answer all = server.send("GET", collection).header("Accept", PROTOBUF).now();
    assertThat(decoded(all, descriptor.schemaName() + "List").path("items"))
        .isEqualTo(list.path("items"));
  }

  private static ObjectNode decoded(Answer answer, String schemaName) {
    // Read back as text: trees tell kinds of numbers apart that JSON does not.
    return Json.parseObject(
        Json.bytes(ProtobufReader.read(answer.response().body(), struct(schemaName))));
  }

  private static StructType struct(String name) {
    return Schemas.kubernetes().struct(name);
  }

  private static String name(byte[] partial) throws IOException {
    ObjectNode metadata = Json.object();
    ProtobufReader.readMessage(
        fields(partial, 1).getFirst(), struct(META + "ObjectMeta"), metadata);
    return metadata.path("name").asString();
  }

  private static List<byte[]> fields(byte[] message, int number) throws IOException {
    List<byte[]> found = new ArrayList<>();
    CodedInputStream in = CodedInputStream.newInstance(message);
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (tag >>> 3 == number) {
        found.add(in.readByteArray());
      } else {
        assertThat(in.skipField(tag)).isTrue();
      }
    }
    return found;
  }
}
