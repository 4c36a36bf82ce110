package io.fairlead.server;

import static io.fairlead.server.TestObjects.DEPLOYMENTS;
import static io.fairlead.server.TestObjects.PODS;
import static io.fairlead.server.TestObjects.deployment;
import static io.fairlead.server.TestObjects.patch;
import static io.fairlead.server.TestObjects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import tools.jackson.databind.JsonNode;

/// The vectors of spec/api.md section 8.5.
class ObjectVectorsTest extends VectorTable {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String STRATEGIC = "application/strategic-merge-patch+json";
  private static final String MERGE = "application/merge-patch+json";
  private static final String APPLY = "application/apply-patch+yaml";

  ObjectVectorsTest() {
    super("P", 30);
  }

  @Override
  TestServer open() throws Exception {
    TestServer started = TestServer.start();
    started.post("/api/v1/namespaces/default/serviceaccounts", "{'metadata':{'name':'default'}}");
    return started;
  }

  @Override
  Vectors table() {
    Vectors table = new Vectors();
    deletes(table);
    patches(table);
    applies(table);
    new ObjectRuleRows(server).addTo(table);
    TokenRows.addTo(table);
    nodes(table);
    return table;
  }

  private void nodes(Vectors table) {
    table.row(
        "P26",
        "exec without Upgrade",
        () -> {
          pod(server, "p26", ",'nodeName':'n1'");
          for (String way : new String[] {"exec", "attach", "portforward"}) {
            Answer answer = server.get(PODS + "/p26/" + way + "?command=ls");
            assertThat(answer.code()).isEqualTo(400);
            assertThat(answer.message()).isEqualTo("Upgrade request required");
          }
          pod(server, "p26-waits", "");
          assertThat(server.get(PODS + "/p26-waits/exec?command=ls").message())
              .isEqualTo("pod p26-waits does not have a host assigned");
          assertThat(server.get(PODS + "/p26-none/exec?command=ls").code()).isEqualTo(404);
        });
    table.row(
        "P28",
        "an eviction that a budget does not allow",
        () -> {
          String budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
          server.post(
              budgets,
              "{'metadata':{'name':'p28'},'spec':{'minAvailable':1,'selector':{'matchLabels':"
                  + "{'p28':'yes'}}}}");
          server
              .send("PATCH", budgets + "/p28/status")
              .header("Content-Type", MERGE)
              .body(
                  "{'status':{'observedGeneration':1,'disruptionsAllowed':0,'desiredHealthy':2,"
                      + "'currentHealthy':1,'expectedPods':2}}")
              .now();
          pod(server, "p28", ",'nodeName':'n1'");
          server
              .send("PATCH", PODS + "/p28")
              .header("Content-Type", MERGE)
              .body("{'metadata':{'labels':{'p28':'yes'}}}")
              .now();
          server
              .send("PATCH", PODS + "/p28/status")
              .header("Content-Type", MERGE)
              .body(
                  "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}")
              .now();
          Answer answer = server.post(PODS + "/p28/eviction", "{'metadata':{'name':'p28'}}");
          assertThat(answer.code()).as(answer.text()).isEqualTo(429);
          assertThat(answer.message())
              .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
          assertThat(answer.json().at("/details/causes/0/reason").asString())
              .isEqualTo("DisruptionBudget");
          assertThat(server.get(PODS + "/p28").code()).isEqualTo(200);
        });
  }

  private void deletes(Vectors table) {
    table.row(
        "P1",
        "a running pod is marked, then removed with grace 0",
        () -> {
          pod(server, "p1", ",'nodeName':'n1'");
          Answer marked = server.send("DELETE", PODS + "/p1").now();
          assertThat(marked.code()).isEqualTo(200);
          assertThat(marked.at("metadata", "deletionTimestamp")).isNotEmpty();
          assertThat(server.get(PODS + "/p1").code()).isEqualTo(200);
          server.send("DELETE", PODS + "/p1?gracePeriodSeconds=0").now();
          assertThat(server.get(PODS + "/p1").code()).isEqualTo(404);
        });
    table.row(
        "P2",
        "an unscheduled pod goes at once",
        () -> {
          pod(server, "p2", "");
          server.send("DELETE", PODS + "/p2").now();
          assertThat(server.get(PODS + "/p2").code()).isEqualTo(404);
        });
    table.row(
        "P3",
        "wrong uid",
        () -> {
          map("p3", "");
          Answer answer =
              server
                  .send("DELETE", MAPS + "/p3")
                  .body("{'preconditions':{'uid':'11111111-1111-1111-1111-111111111111'}}")
                  .now();
          assertThat(answer.code()).isEqualTo(409);
          assertThat(answer.message()).contains("the UID in the precondition");
        });
    table.row(
        "P4",
        "foreground deletion waits for dependents",
        () -> {
          deployment(server, "p4", "app", "app");
          Answer answer =
              server
                  .send("DELETE", DEPLOYMENTS + "/p4")
                  .body("{'propagationPolicy':'Foreground'}")
                  .now();
          assertThat(answer.code()).isEqualTo(200);
          assertThat(server.get(DEPLOYMENTS + "/p4").text()).contains("foregroundDeletion");
        });
    table.row(
        "P5",
        "a config map is answered with a Status",
        () -> {
          map("p5", "");
          Answer answer = server.send("DELETE", MAPS + "/p5").now();
          assertThat(answer.at("status")).isEqualTo("Success");
          assertThat(answer.at("details", "kind")).isEqualTo("configmaps");
          assertThat(answer.at("details", "uid")).hasSize(36);
        });
    table.row(
        "P6",
        "the last finalizer lets it go",
        () -> {
          map("p6", ",'finalizers':['example.com/f']");
          server.send("DELETE", MAPS + "/p6").now();
          assertThat(server.get(MAPS + "/p6").at("metadata", "deletionTimestamp")).isNotEmpty();
          patch(server, MERGE, MAPS + "/p6", "{'metadata':{'finalizers':[]}}");
          assertThat(server.get(MAPS + "/p6").code()).isEqualTo(404);
        });
    table.row(
        "P7",
        "default stays",
        () -> {
          Answer answer = server.send("DELETE", "/api/v1/namespaces/default").now();
          assertThat(answer.code()).isEqualTo(403);
          assertThat(answer.message()).contains("this namespace may not be deleted");
        });
  }

  private void patches(Vectors table) {
    table.row(
        "P8",
        "a failed test",
        () -> {
          map("p8", "");
          Answer answer =
              patch(
                  server,
                  "application/json-patch+json",
                  MAPS + "/p8",
                  "[{'op':'test','path':'/data','value':{'a':'b'}}]");
          assertThat(answer.code()).isEqualTo(422);
          assertThat(answer.message())
              .isEqualTo("the server rejected our request due to an error in our request");
        });
    table.row(
        "P9",
        "containers merge by name",
        () -> {
          deployment(server, "p9", "app", "app");
          Answer answer =
              patch(
                  server,
                  STRATEGIC,
                  DEPLOYMENTS + "/p9",
                  "{'spec':{'template':{'spec':{'containers':[{'name':'b','image':'new:1'}]}}}}");
          JsonNode containers =
              answer.json().path("spec").path("template").path("spec").path("containers");
          assertThat(containers.size()).isEqualTo(2);
          assertThat(containers.toString()).contains("new:1").contains("old:1");
        });
    table.row(
        "P10",
        "directives",
        () -> {
          deployment(server, "p10", "app", "app");
          Answer answer =
              patch(
                  server,
                  STRATEGIC,
                  DEPLOYMENTS + "/p10",
                  "{'spec':{'strategy':{'$retainKeys':['type'],'type':'Recreate'},'template':"
                      + "{'spec':{'containers':[{'name':'b','$patch':'delete'}]}}}}");
          assertThat(answer.code()).isEqualTo(200);
          assertThat(answer.json().path("spec").path("strategy").toString())
              .isEqualTo("{\"type\":\"Recreate\"}");
          assertThat(
                  answer
                      .json()
                      .path("spec")
                      .path("template")
                      .path("spec")
                      .path("containers")
                      .size())
              .isEqualTo(1);
        });
    table.row(
        "P14",
        "unknown fields warn",
        () -> {
          Answer answer = server.post(MAPS, "{'metadata':{'name':'p14'},'spec':{'x':1}}");
          assertThat(answer.code()).isEqualTo(201);
          assertThat(answer.header("Warning")).isEqualTo("299 - \"unknown field \\\"spec\\\"\"");
        });
  }

  private void applies(Vectors table) {
    String config = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'%s'},'data':{%s}}";
    table.row(
        "P11",
        "conflict and force",
        () -> {
          String path = MAPS + "/p11?fieldManager=";
          assertThat(patch(server, APPLY, path + "a", config.formatted("p11", "'k':'1'")).code())
              .isEqualTo(201);
          Answer conflict = patch(server, APPLY, path + "b", config.formatted("p11", "'k':'2'"));
          assertThat(conflict.code()).isEqualTo(409);
          assertThat(conflict.message())
              .isEqualTo("Apply failed with 1 conflict: conflict with \"a\": .data.k");
          Answer forced =
              patch(server, APPLY, path + "b&force=true", config.formatted("p11", "'k':'2'"));
          assertThat(forced.code()).isEqualTo(200);
          assertThat(forced.at("data", "k")).isEqualTo("2");
        });
    table.row(
        "P12",
        "what is no longer applied goes",
        () -> {
          String path = MAPS + "/p12?fieldManager=a";
          patch(server, APPLY, path, config.formatted("p12", "'k':'1','l':'2'"));
          Answer answer = patch(server, APPLY, path, config.formatted("p12", "'k':'1'"));
          assertThat(answer.json().path("data").size()).isEqualTo(1);
        });
    table.row(
        "P13",
        "apply without manager",
        () -> {
          Answer answer = patch(server, APPLY, MAPS + "/p13", config.formatted("p13", ""));
          assertThat(answer.code()).isEqualTo(422);
          assertThat(answer.message())
              .isEqualTo(
                  "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: is"
                      + " required for apply patch");
        });
  }

  private void map(String name, String metadata) {
    assertThat(server.post(MAPS, "{'metadata':{'name':'" + name + "'" + metadata + "}}").code())
        .isEqualTo(201);
  }
}
