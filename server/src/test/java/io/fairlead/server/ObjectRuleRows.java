package io.fairlead.server;

import static io.fairlead.server.TestObjects.DEPLOYMENTS;
import static io.fairlead.server.TestObjects.PODS;
import static io.fairlead.server.TestObjects.deployment;
import static io.fairlead.server.TestObjects.patch;
import static io.fairlead.server.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.util.StringJoiner;

/// Vectors of section 8.5 about what objects of other kinds may say.
final class ObjectRuleRows {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String SLICES =
      "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final String MERGE = "application/merge-patch+json";

  private final TestServer server;

  ObjectRuleRows(TestServer server) {
    this.server = server;
  }

  void addTo(Vectors table) {
    table.row(
        "P15",
        "selector does not match",
        () ->
            assertThat(deployment(server, "p15", "app", "other").message())
                .contains("`selector` does not match template `labels`"));
    table.row(
        "P16",
        "selector is immutable",
        () -> {
          deployment(server, "p16", "app", "app");
          Answer answer =
              patch(
                  server,
                  MERGE,
                  DEPLOYMENTS + "/p16",
                  "{'spec':{'selector':{'matchLabels':{'app':'x'}},"
                      + "'template':{'metadata':{'labels':{'app':'x'}}}}}");
          assertThat(answer.code()).isEqualTo(422);
          assertThat(answer.message()).contains("field is immutable");
        });
    table.row(
        "P17",
        "slices",
        () -> {
          String slice =
              "{'metadata':{'name':'p17'},'addressType':'IPv4','endpoints':[{'addresses':['%s']}]}";
          assertThat(server.post(SLICES, slice.formatted("127.0.0.1")).code()).isEqualTo(422);
          assertThat(server.post(SLICES, slice.formatted("10.1.2.3")).code()).isEqualTo(201);
          Answer changed =
              patch(server, MERGE, SLICES + "/p17", "{'addressType':'FQDN','endpoints':[]}");
          assertThat(changed.code()).isEqualTo(422);
          assertThat(changed.message())
              .contains("addressType: Invalid value", "field is immutable");
          Answer many = server.post(SLICES, sliceOf("many", 1001));
          assertThat(many.code()).isEqualTo(422);
          assertThat(many.message())
              .isEqualTo(
                  "EndpointSlice.discovery.k8s.io \"many\" is invalid: endpoints: Too many: 1001:"
                      + " must have at most 1000 items");
          assertThat(server.post(SLICES, sliceOf("full", 1000)).code()).isEqualTo(201);
        });
    table.row(
        "P18",
        "what may change in a pod",
        () -> {
          pod(server, "p18", "");
          String change = "{'spec':{'containers':[{'name':'a',%s}]}}";
          assertThat(
                  patch(server, STRATEGIC, PODS + "/p18", change.formatted("'image':'x:2'")).code())
              .isEqualTo(200);
          Answer refused =
              patch(server, STRATEGIC, PODS + "/p18", change.formatted("'command':['x']"));
          assertThat(refused.code()).isEqualTo(422);
          assertThat(refused.message()).contains("pod updates may not change fields other than");
        });
    table.row(
        "P20",
        "no permission",
        () -> {
          Answer answer =
              server
                  .send("DELETE", "/api/v1/namespaces/default/services/x")
                  .header("Authorization", "Bearer nobody")
                  .now();
          assertThat(answer.code()).isEqualTo(403);
          assertThat(answer.message())
              .isEqualTo(
                  "services \"x\" is forbidden: User \"nobody\" cannot delete resource"
                      + " \"services\" in API group \"\" in the namespace \"default\"");
        });
    table.row(
        "P29",
        "PUT of what is missing",
        () -> {
          assertThat(
                  server
                      .send("PUT", MAPS + "/p29")
                      .body("{'metadata':{'name':'p29'}}")
                      .now()
                      .code())
              .isEqualTo(404);
          assertThat(
                  server
                      .send("PUT", "/api/v1/namespaces/default/endpoints/p29")
                      .body("{'metadata':{'name':'p29'}}")
                      .now()
                      .code())
              .isEqualTo(201);
          Answer service =
              server
                  .send("PUT", "/api/v1/namespaces/default/services/p29")
                  .body("{'metadata':{'name':'p29'},'spec':{'ports':[{'port':80}]}}")
                  .now();
          assertThat(service.code()).isEqualTo(201);
          assertThat(service.at("spec", "clusterIP")).startsWith("10.");
        });
  }

  private static String sliceOf(String name, int endpoints) {
    StringJoiner items = new StringJoiner(",", "[", "]");
    for (int i = 0; i < endpoints; i++) {
      items.add("{'addresses':['10.1." + i / 250 + "." + (i % 250 + 1) + "']}");
    }
    return "{'metadata':{'name':'" + name + "'},'addressType':'IPv4','endpoints':" + items + "}";
  }
}
