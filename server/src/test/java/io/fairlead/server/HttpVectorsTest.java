package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The vectors of spec/api.md section 8.2.
class HttpVectorsTest extends VectorTable {
  private static final String V2 =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SERVICES = "/api/v1/namespaces/default/services";
  private static final String NAMESPACE_X =
      "6b3873000a0f0a02763112094e616d65737061636512190a110a017812001a0022002a0032003800420012001a020a"
          + "001a002200";

  HttpVectorsTest() {
    super("H", 25);
  }

  @Override
  Vectors table() {
    Vectors table = new Vectors();
    discovery(table);
    rendering(table);
    bodies(table);
    paths(table);
    return table;
  }

  private void discovery(Vectors table) {
    table.row(
        "H1",
        "aggregated discovery v2",
        () -> {
          Answer answer = server.send("GET", "/api").header("Accept", V2).now();
          assertThat(answer.header("Content-Type")).isEqualTo(V2);
          assertThat(answer.json().path("items").size()).isEqualTo(1);
          assertThat(answer.json().path("items").get(0).path("metadata").has("name")).isFalse();
        });
    table.row(
        "H2",
        "aggregated discovery v2beta1",
        () -> {
          String beta = V2.replace("v=v2", "v=v2beta1");
          Answer answer = server.send("GET", "/api").header("Accept", beta).now();
          assertThat(answer.header("Content-Type")).isEqualTo(beta);
          assertThat(answer.at("apiVersion")).isEqualTo("apidiscovery.k8s.io/v2beta1");
        });
    table.row(
        "H3",
        "legacy discovery",
        () -> {
          Answer answer = server.send("GET", "/api").header("Accept", "application/json").now();
          assertThat(answer.at("kind")).isEqualTo("APIVersions");
          assertThat(answer.json().path("versions").get(0).asString()).isEqualTo("v1");
        });
    table.row(
        "H4",
        "scale belongs to autoscaling",
        () -> {
          for (JsonNode one : server.get("/apis/apps/v1").json().path("resources")) {
            if (one.path("name").asString().equals("deployments/scale")) {
              assertThat(one.path("group").asString()).isEqualTo("autoscaling");
              assertThat(one.path("version").asString()).isEqualTo("v1");
              assertThat(one.path("kind").asString()).isEqualTo("Scale");
              return;
            }
          }
          throw new AssertionError("deployments/scale is not listed");
        });
    table.row(
        "H5",
        "OpenAPI v2 as protobuf",
        () -> {
          Answer answer =
              server
                  .send("GET", "/openapi/v2")
                  .header("Accept", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf")
                  .now();
          assertThat(answer.code()).isEqualTo(200);
          assertThat(answer.response().body()).startsWith(0x0a, 0x03, 0x32, 0x2e, 0x30);
        });
    table.row(
        "H6",
        "OpenAPI v3 index with hash and ETag",
        () -> {
          Answer index = server.get("/openapi/v3");
          assertThat(index.at("paths", "api/v1", "serverRelativeURL")).contains("?hash=");
          Answer again =
              server.send("GET", "/openapi/v3").header("If-None-Match", index.header("ETag")).now();
          assertThat(again.code()).isEqualTo(304);
        });
    table.row(
        "H7",
        "unknown group",
        () -> {
          Answer answer = server.get("/apis/nope/v1");
          assertThat(answer.code()).isEqualTo(404);
          assertThat(answer.at("kind")).isEqualTo("Status");
        });
  }

  private void rendering(Vectors table) {
    table.row(
        "H8",
        "Table of services",
        () -> {
          Answer answer = server.send("GET", SERVICES).header("Accept", TABLE).now();
          assertThat(answer.at("kind")).isEqualTo("Table");
          List<String> columns = new ArrayList<>();
          for (JsonNode column : answer.json().path("columnDefinitions")) {
            columns.add(column.path("name").asString() + column.path("priority").asInt());
          }
          assertThat(columns)
              .containsExactly(
                  "Name0",
                  "Type0",
                  "Cluster-IP0",
                  "External-IP0",
                  "Port(s)0",
                  "Age0",
                  "Selector1",
                  // Ours: how many endpoints are ready (spec/insight 4).
                  "Ready1");
          JsonNode row = answer.json().path("rows").get(0);
          assertThat(row.path("cells").get(0).asString()).isEqualTo("kubernetes");
          assertThat(row.path("object").path("kind").asString()).isEqualTo("PartialObjectMetadata");
        });
    table.row(
        "H9",
        "includeObject",
        () -> {
          Answer whole =
              server.send("GET", SERVICES + "?includeObject=Object").header("Accept", TABLE).now();
          JsonNode object = whole.json().path("rows").get(0).path("object");
          assertThat(object.path("kind").asString()).isEqualTo("Service");
          assertThat(object.path("spec").path("clusterIP").asString()).isEqualTo("10.96.0.1");
          Answer wrong =
              server.send("GET", SERVICES + "?includeObject=Foo").header("Accept", TABLE).now();
          assertThat(wrong.code()).isEqualTo(400);
        });
    table.row(
        "H10",
        "protobuf only",
        () -> {
          Answer answer = server.send("GET", SERVICES).header("Accept", PROTOBUF).now();
          assertThat(answer.code()).isEqualTo(200);
          assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF);
          assertThat(answer.response().body()).startsWith(0x6b, 0x38, 0x73, 0x00);
        });
    table.row(
        "H11",
        "protobuf or JSON: the first that is named",
        () -> {
          Answer answer =
              server.send("GET", SERVICES).header("Accept", PROTOBUF + ",application/json").now();
          assertThat(answer.header("Content-Type")).isEqualTo(PROTOBUF);
          answer =
              server.send("GET", SERVICES).header("Accept", "application/json," + PROTOBUF).now();
          assertThat(answer.header("Content-Type")).isEqualTo("application/json");
        });
  }

  private void bodies(Vectors table) {
    table.row(
        "H12",
        "a namespace in protobuf",
        () -> {
          Answer answer =
              server
                  .send("POST", "/api/v1/namespaces")
                  .header("Content-Type", "application/vnd.kubernetes.protobuf")
                  .body(HexFormat.of().parseHex(NAMESPACE_X))
                  .now();
          assertThat(answer.code()).isEqualTo(201);
          assertThat(answer.at("metadata", "name")).isEqualTo("x");
        });
    table.row(
        "H13",
        "XML body",
        () -> {
          Answer answer =
              server
                  .send("POST", MAPS)
                  .header("Content-Type", "application/xml")
                  .body("<a/>")
                  .now();
          assertThat(answer.code()).isEqualTo(415);
          assertThat(answer.at("reason")).isEqualTo("UnsupportedMediaType");
        });
    table.row(
        "H14",
        "4 MiB body",
        () -> {
          Answer answer = server.send("POST", MAPS).body(new byte[4 << 20]).now();
          assertThat(answer.code()).isEqualTo(413);
          assertThat(answer.message()).isEqualTo("Request entity too large: limit is 3145728");
        });
    table.row(
        "H15",
        "without credential",
        () -> {
          Answer version = server.send("GET", "/version").header("Authorization", null).now();
          assertThat(version.code()).isEqualTo(200);
          assertThat(version.at("minor")).isEqualTo("36");
          Answer pods = server.send("GET", "/api/v1/pods").header("Authorization", null).now();
          assertThat(pods.code()).isEqualTo(403);
        });
    table.row(
        "H16",
        "readyz verbose",
        () -> {
          String text = server.get("/readyz?verbose").text();
          assertThat(text).startsWith("[+]ping ok\n").endsWith("readyz check passed\n");
        });
    table.row(
        "H17",
        "patch as text",
        () -> {
          Answer answer =
              server
                  .send("PATCH", MAPS + "/x")
                  .header("Content-Type", "text/plain")
                  .body("x")
                  .now();
          assertThat(answer.code()).isEqualTo(415);
          assertThat(answer.message()).isEqualTo("415: Unsupported Media Type");
        });
  }

  private void paths(Vectors table) {
    table.row(
        "H18",
        "bad label selector",
        () -> assertThat(server.get(MAPS + "?labelSelector=a%3D%3D%3Db").code()).isEqualTo(400));
    table.row(
        "H19",
        "unknown field selector",
        () -> {
          assertThat(server.get("/api/v1/pods?fieldSelector=spec.foo%3D1").message())
              .isEqualTo("field label not supported: spec.foo");
          assertThat(server.get(MAPS + "?fieldSelector=spec.foo%3D1").message())
              .isEqualTo(
                  "\"spec.foo\" is not a known field selector: only \"metadata.name\","
                      + " \"metadata.namespace\"");
        });
    table.row(
        "H20",
        "services that are not headless",
        () -> {
          String headless =
              "{'metadata':{'name':'%s'},'spec':{'clusterIP':%s,'ports':[{'port':80}]}}";
          server.post(SERVICES, headless.formatted("h20-headless", "'None'"));
          server.post(SERVICES, headless.formatted("h20-plain", "null"));
          String all = server.get(SERVICES).text();
          assertThat(all).contains("h20-headless", "h20-plain");
          String some = server.get(SERVICES + "?fieldSelector=spec.clusterIP!%3DNone").text();
          assertThat(some).contains("h20-plain").doesNotContain("h20-headless");
        });
    table.row(
        "H21",
        "name mismatch",
        () -> {
          Answer answer = server.send("PUT", MAPS + "/a").body("{'metadata':{'name':'b'}}").now();
          assertThat(answer.code()).isIn(400, 404);
          assertThat(server.post(MAPS, "{'metadata':{'name':'h21'}}").code()).isEqualTo(201);
          answer = server.send("PUT", MAPS + "/h21").body("{'metadata':{'name':'b'}}").now();
          assertThat(answer.code()).isEqualTo(400);
          assertThat(answer.message())
              .isEqualTo("the name of the object (b) does not match the name on the URL (h21)");
        });
    table.row(
        "H22",
        "namespace mismatch",
        () -> {
          Answer answer = server.post(MAPS, "{'metadata':{'name':'a','namespace':'y'}}");
          assertThat(answer.code()).isEqualTo(400);
          assertThat(answer.message())
              .isEqualTo(
                  "the namespace of the provided object does not match the namespace sent on the"
                      + " request");
        });
    table.row(
        "H23",
        "a Pod posted to services",
        () -> {
          Answer answer = server.post(SERVICES, "{'kind':'Pod','apiVersion':'v1'}");
          assertThat(answer.code()).isEqualTo(400);
          assertThat(answer.message())
              .startsWith("Pod in version \"v1\" cannot be handled as a Service: ");
        });
    table.row(
        "H24",
        "missing namespace",
        () -> {
          Answer answer =
              server.post("/api/v1/namespaces/nope/configmaps", "{'metadata':{'name':'a'}}");
          assertThat(answer.code()).isEqualTo(404);
          assertThat(answer.message()).isEqualTo("namespaces \"nope\" not found");
        });
    table.row(
        "H25",
        "Audit-Id",
        () -> {
          assertThat(server.get("/livez").header("Audit-Id")).isNotEmpty();
          Answer echoed = server.send("GET", "/livez").header("Audit-Id", "mine").now();
          assertThat(echoed.header("Audit-Id")).isEqualTo("mine");
          assertThat(echoed.header("Cache-Control")).isEqualTo("no-cache, private");
        });
  }
}
