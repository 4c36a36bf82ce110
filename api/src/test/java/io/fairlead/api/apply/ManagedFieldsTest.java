package io.fairlead.api.apply;

import static io.fairlead.api.apply.FakeServiceApi.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class ManagedFieldsTest {
  private static final String PORT =
      "k:{port:80,protocol:TCP}:{.:{},f:port:{},f:protocol:{},f:targetPort:{}}";
  private static final String STATUS =
      "three Update/status {f:status:{f:conditions:{.:{},k:{type:Ready}:{.:{},"
          + "f:lastTransitionTime:{},f:message:{},f:reason:{},f:status:{},f:type:{}}}}}";

  private final FakeServiceApi cluster = new FakeServiceApi();

  /// The recorded history of a real server (golden/api/apply.json, managedfields-update).
  @Test
  void updatesMoveFieldsToTheirWriter() {
    String rest = "},f:selector:{},";
    cluster.create("one", "{'spec':{'selector':{'app':'web'},'ports':[{'port':80}]}}");
    assertThat(cluster.owners())
        .containsExactly(
            "one Update {f:spec:{f:internalTrafficPolicy:{},f:ports:{.:{},"
                + PORT
                + rest
                + "f:sessionAffinity:{},f:type:{}}}");

    cluster.mergePatch(
        "two", "{'metadata':{'labels':{'a':'b'}},'spec':{'sessionAffinity':'ClientIP'}}", "");
    String one =
        "one Update {f:spec:{f:internalTrafficPolicy:{},f:ports:{.:{},"
            + PORT
            + rest
            + "f:type:{}}}";
    String two =
        "two Update {f:metadata:{f:labels:{.:{},f:a:{}}},f:spec:{f:sessionAffinity:{},"
            + "f:sessionAffinityConfig:{.:{},f:clientIP:{.:{},f:timeoutSeconds:{}}}}}";
    assertThat(cluster.owners()).containsExactly(one, two);

    cluster.mergePatch(
        "three",
        "{'status':{'conditions':[{'type':'Ready','status':'True','reason':'R','message':'',"
            + "'lastTransitionTime':'2024-01-01T00:00:00Z'}]}}",
        "status");
    assertThat(cluster.owners()).containsExactly(one, STATUS, two);

    cluster.put("one", "{'spec':{'selector':{'app':'z'},'ports':[{'port':80}]}}");
    assertThat(cluster.owners())
        .containsExactly(
            "one Update {f:spec:{f:internalTrafficPolicy:{},f:ports:{.:{},"
                + PORT
                + rest
                + "f:sessionAffinity:{},f:type:{}}}",
            STATUS);

    cluster.strategicMergePatch("two", "{'spec':{'ports':[{'port':80,'targetPort':8080}]}}");
    assertThat(cluster.owners())
        .containsExactly(
            "one Update {f:spec:{f:internalTrafficPolicy:{},f:ports:{.:{},"
                + "k:{port:80,protocol:TCP}:{.:{},f:port:{},f:protocol:{}}"
                + rest
                + "f:sessionAffinity:{},f:type:{}}}",
            STATUS,
            "two Update {f:spec:{f:ports:{k:{port:80,protocol:TCP}:{f:targetPort:{}}}}}");
  }

  /// As real servers show it for a Deployment made with kubectl create.
  @Test
  void embeddedStructsHaveNoOwner() {
    ObjectNode deployment =
        json(
            "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'d','labels':"
                + "{'app':'x'}},'spec':{'replicas':1,'selector':{'matchLabels':{'app':'x'}},"
                + "'strategy':{'type':'RollingUpdate','rollingUpdate':{'maxSurge':'25%'}},"
                + "'template':{'metadata':{'labels':{'app':'x'}},'spec':{'securityContext':{},"
                + "'containers':[{'name':'c','image':'i','resources':{}}]}}},'status':{}}");
    ManagedFields.afterUpdate(
        null,
        deployment,
        Schemas.kubernetes().struct("io.k8s.api.apps.v1.Deployment"),
        new FieldManager("kubectl-create", "apps/v1", "", Instant.EPOCH));
    assertThat(deployment.path("metadata").path("managedFields").get(0).path("fieldsV1"))
        .isEqualTo(
            json(
                "{'f:metadata':{'f:labels':{'.':{},'f:app':{}}},'f:spec':{'f:replicas':{},"
                    + "'f:selector':{},'f:strategy':{'f:rollingUpdate':{'.':{},'f:maxSurge':{}},"
                    + "'f:type':{}},'f:template':{'f:metadata':{'f:labels':{'.':{},'f:app':{}}},"
                    + "'f:spec':{'f:containers':{'k:{\\'name\\':\\'c\\'}':{'.':{},'f:image':{},"
                    + "'f:name':{},'f:resources':{}}},'f:securityContext':{}}}}}"));
  }

  @Test
  void timesMoveOnlyWithAChange() {
    cluster.create("one", "{'spec':{'selector':{'app':'web'}}}");
    ObjectNode before = cluster.stored();
    cluster.tick();
    cluster.mergePatch("one", "{}", "");
    assertThat(cluster.stored()).isEqualTo(before);
    cluster.mergePatch("one", "{'spec':{'selector':{'app':'x'}}}", "");
    assertThat(cluster.at("metadata", "managedFields").get(0).path("time").asString())
        .isEqualTo("2026-01-01T00:00:01Z");
  }

  @Test
  void losingFieldsDoesNotTouchTheTime() {
    cluster.create("one", "{'spec':{'selector':{'app':'web'}}}");
    cluster.tick();
    cluster.mergePatch("two", "{'spec':{'selector':{'app':'x'}}}", "");
    assertThat(cluster.at("metadata", "managedFields").get(0).path("time").asString())
        .isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void resetClearsAndUpdatesDoNotStartAgain() {
    cluster.create("one", "{'spec':{'selector':{'app':'web'}}}");
    cluster.mergePatch("one", "{'metadata':{'managedFields':[{}],'labels':{'a':'b'}}}", "");
    assertThat(cluster.at("metadata").has("managedFields")).isFalse();
    cluster.mergePatch("one", "{'metadata':{'labels':{'a':'c'}}}", "");
    assertThat(cluster.at("metadata").has("managedFields")).isFalse();
  }

  @Test
  void emptyListResetsToo() {
    cluster.create("one", "{'spec':{}}");
    cluster.mergePatch("one", "{'metadata':{'managedFields':[]}}", "");
    assertThat(cluster.at("metadata").has("managedFields")).isFalse();
  }

  @Test
  void clientsMayEditTheListButNotThroughSubresources() {
    cluster.create("one", "{'spec':{'selector':{'app':'web'}}}");
    String list =
        "{'metadata':{'managedFields':[{'manager':'kubectl','operation':'Apply','apiVersion':'v1',"
            + "'fieldsType':'FieldsV1','fieldsV1':{'f:spec':{'f:selector':{}}}}]}}";
    cluster.mergePatch("one", list, "status");
    assertThat(cluster.owners()).singleElement().asString().startsWith("one Update");
    cluster.mergePatch("one", list, "");
    assertThat(cluster.owners()).containsExactly("kubectl Apply {f:spec:{f:selector:{}}}");
  }

  @Test
  void malformedEntriesAreNotTaken() {
    cluster.create("one", "{'spec':{'selector':{'app':'web'}}}");
    List<String> before = cluster.owners();
    cluster.mergePatch(
        "one",
        "{'metadata':{'managedFields':[{'manager':'x','operation':'Update','fieldsV1':{'q':{}}}]}}",
        "");
    assertThat(cluster.owners()).isEqualTo(before);
  }

  @Test
  void manyUpdatersAreFoldedTogether() {
    cluster.create("m0", "{'metadata':{'labels':{'l0':'x'}}}");
    for (int i = 1; i < 15; i++) {
      cluster.tick();
      cluster.mergePatch("m" + i, "{'metadata':{'labels':{'l" + i + "':'x'}}}", "");
    }
    List<String> owners = cluster.owners();
    assertThat(owners).hasSize(ManagedFieldsEntries.MAX_UPDATERS);
    assertThat(owners.getFirst())
        .startsWith("ancient-changes Update {f:metadata:{f:labels:{.:{},f:l0:{},f:l1:{}")
        .contains("f:l5:{}");
    assertThat(owners.getLast()).startsWith("m14 ");
  }

  @Test
  void duplicateKeysChangeTogether() {
    ObjectNode live = json("{'spec':{'ports':[{'port':1,'name':'a'},{'port':1,'name':'b'}]}}");
    ObjectNode next = json("{'spec':{'ports':[{'port':1,'name':'a'},{'port':1,'name':'c'}]}}");
    FieldComparison comparison = FieldComparison.of(live, next, FakeServiceApi.SERVICE);
    assertThat(comparison.modified().toJson())
        .isEqualTo(json("{'f:spec':{'f:ports':{'k:{\\'port\\':1,\\'protocol\\':\\'TCP\\'}':{}}}}"));
  }

  @Test
  void setsAreOwnedByValue() {
    ObjectNode live = json("{'metadata':{'finalizers':['a/b']}}");
    ObjectNode next = json("{'metadata':{'finalizers':['a/c']}}");
    FieldComparison comparison = FieldComparison.of(live, next, FakeServiceApi.SERVICE);
    assertThat(comparison.added().toJson())
        .isEqualTo(json("{'f:metadata':{'f:finalizers':{'v:\\'a/c\\'':{}}}}"));
    assertThat(comparison.removed().toJson())
        .isEqualTo(json("{'f:metadata':{'f:finalizers':{'v:\\'a/b\\'':{}}}}"));
  }

  /// Rough, and generous: what matters is that a create does not pay milliseconds.
  @Test
  void noteOfACreateIsCheap() {
    ObjectNode object =
        json(
            "{'apiVersion':'v1','kind':'Service','metadata':{'name':'a','labels':{'a':'b'}},"
                + "'spec':{'type':'ClusterIP','selector':{'app':'x'},'sessionAffinity':'None'}}");
    ArrayNode ports = ((ObjectNode) object.path("spec")).putArray("ports");
    for (int i = 1; i <= 3; i++) {
      ports.addObject().put("port", i).put("protocol", "TCP").put("targetPort", i);
    }
    FieldManager manager = new FieldManager("m", "v1", "", Instant.EPOCH);
    long best = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < 4_000; i++) {
        Json.child(object, "metadata").remove("managedFields");
        ManagedFields.afterUpdate(null, object, FakeServiceApi.SERVICE, manager);
      }
      best = Math.min(best, (System.nanoTime() - start) / 4_000);
    }
    assertThat(best).as("nanoseconds per create").isLessThan(1_000_000);
    if (Boolean.getBoolean("fairlead.print")) {
      System.out.println("managedFields of a create: " + best / 1000 + " µs");
    }
  }
}
