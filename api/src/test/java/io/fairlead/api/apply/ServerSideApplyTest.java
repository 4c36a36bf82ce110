package io.fairlead.api.apply;

import static io.fairlead.api.apply.FakeServiceApi.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// The recorded histories of a real server (golden/api/apply.json), and what they leave out.
class ServerSideApplyTest {
  private static final String ITEM_80 = "k:{port:80,protocol:TCP}:{.:{},f:name:{},f:port:{}}";
  private static final String ITEM_443 = "k:{port:443,protocol:TCP}:{.:{},f:name:{},f:port:{}}";
  private static final String ITEM_UDP =
      "k:{port:80,protocol:UDP}:{.:{},f:name:{},f:port:{},f:protocol:{}}";

  private final FakeServiceApi cluster = new FakeServiceApi();

  private static String a(String ports) {
    return "{'spec':{'clusterIP':'10.0.0.70','selector':{'app':'a'},'ports':[" + ports + "]}}";
  }

  private void ports(String... expected) {
    assertThat(
            cluster
                .at("spec", "ports")
                .valueStream()
                .map(
                    port ->
                        Json.textOr(port, "", "name")
                            + " "
                            + port.path("port").asInt()
                            + "/"
                            + Json.textOr(port, "", "protocol")))
        .containsExactly(expected);
  }

  @Test
  void managersShareOneService() {
    String http = "{'port':80,'name':'http'}";
    String https = "{'port':443,'name':'https'}";
    String udp = "{'port':80,'protocol':'UDP','name':'udp'}";
    String ofA = "a Apply {f:spec:{f:clusterIP:{},f:ports:{";

    cluster.apply("a", a(http + "," + https), false);
    assertThat(cluster.owners())
        .containsExactly(ofA + ITEM_443 + "," + ITEM_80 + "},f:selector:{}}}");

    ObjectNode before = cluster.stored();
    cluster.tick();
    cluster.apply("a", a(http + "," + https), false);
    assertThat(cluster.stored()).isEqualTo(before);

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(
            () ->
                cluster.apply(
                    "b",
                    "{'spec':{'type':'NodePort','selector':{'app':'b'},'ports':[{'port':80,"
                        + "'targetPort':8080,'nodePort':30071,'name':'web'}]}}",
                    false))
        .withMessage(
            "Apply failed with 2 conflicts: conflicts with \"a\":\n- .spec.selector\n"
                + "- .spec.ports[port=80,protocol=\"TCP\"].name")
        .satisfies(e -> assertThat(e.status().code()).isEqualTo(409));

    cluster.apply("b", "{'metadata':{'labels':{'x':'y'}},'spec':{'ports':[" + udp + "]}}", false);
    assertThat(cluster.owners())
        .containsExactly(
            ofA + ITEM_443 + "," + ITEM_80 + "},f:selector:{}}}",
            "b Apply {f:metadata:{f:labels:{f:x:{}}},f:spec:{f:ports:{" + ITEM_UDP + "}}}");
    ports("http 80/TCP", "https 443/TCP", "udp 80/UDP");

    String both = udp + "," + https;
    cluster.apply("b", "{'metadata':{'labels':{'x':'y'}},'spec':{'ports':[" + both + "]}}", false);
    ports("http 80/TCP", "udp 80/UDP", "https 443/TCP");

    cluster.apply("a", a(http), false);
    assertThat(cluster.owners().getFirst()).isEqualTo(ofA + ITEM_80 + "},f:selector:{}}}");
    ports("http 80/TCP", "udp 80/UDP", "https 443/TCP");

    cluster.apply("b", "{'spec':{'ports':[" + udp + "]}}", false);
    assertThat(cluster.owners().get(1)).isEqualTo("b Apply {f:spec:{f:ports:{" + ITEM_UDP + "}}}");
    ports("http 80/TCP", "udp 80/UDP");
    assertThat(cluster.at("metadata").has("labels")).isFalse();

    cluster.apply("b", "{'spec':{'selector':{'app':'b'},'ports':[" + udp + "]}}", true);
    assertThat(cluster.owners())
        .containsExactly(
            ofA + ITEM_80 + "}}}", "b Apply {f:spec:{f:ports:{" + ITEM_UDP + "},f:selector:{}}}");

    cluster.mergePatch("up", "{'spec':{'selector':{'app':'c'}}}", "");
    assertThat(cluster.owners())
        .containsExactly(
            ofA + ITEM_80 + "}}}",
            "b Apply {f:spec:{f:ports:{" + ITEM_UDP + "}}}",
            "up Update {f:spec:{f:selector:{}}}");

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(
            () ->
                cluster.apply(
                    "a", "{'spec':{'selector':{'app':'a'},'ports':[" + http + "]}}", false))
        .withMessage("Apply failed with 1 conflict: conflict with \"up\" using v1: .spec.selector")
        .satisfies(
            e ->
                assertThat(e.status().details())
                    .isEqualTo(
                        Status.Details.EMPTY.withCauses(
                            List.of(
                                new Status.Cause(
                                    "FieldManagerConflict",
                                    "conflict with \"up\" using v1",
                                    ".spec.selector")))));

    cluster.apply("d", "{'metadata':{'annotations':{'n':'1'}}}", false);
    assertThat(cluster.owners())
        .containsExactly(
            ofA + ITEM_80 + "}}}",
            "b Apply {f:spec:{f:ports:{" + ITEM_UDP + "}}}",
            "d Apply {f:metadata:{f:annotations:{f:n:{}}}}",
            "up Update {f:spec:{f:selector:{}}}");
  }

  @Test
  void listsOfConflictsNameEachManager() {
    cluster.apply("a", "{'metadata':{'labels':{'x':'1'}}}", false);
    cluster.apply("b", "{'metadata':{'labels':{'y':'1'},'finalizers':['e.x/f']}}", false);
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> cluster.apply("c", "{'metadata':{'labels':{'x':'2','y':'2'}}}", false))
        .withMessage(
            "Apply failed with 2 conflicts: conflicts with \"a\":\n- .metadata.labels.x\n"
                + "conflicts with \"b\":\n- .metadata.labels.y");
  }

  @Test
  void sharedValuesHaveTwoOwnersAndOutliveOne() {
    cluster.apply("a", "{'metadata':{'labels':{'x':'1'}}}", false);
    cluster.apply("b", "{'metadata':{'labels':{'x':'1'}}}", false);
    cluster.apply("a", "{}", false);
    assertThat(cluster.at("metadata", "labels", "x").asString()).isEqualTo("1");
    assertThat(cluster.owners()).containsExactly("b Apply {f:metadata:{f:labels:{f:x:{}}}}");
    cluster.apply("b", "{}", false);
    assertThat(cluster.at("metadata").has("labels")).isFalse();
    assertThat(cluster.at("metadata").has("managedFields")).isFalse();
    assertThat(cluster.at("metadata", "name").asString()).isEqualTo("a");
  }

  @Test
  void whatWasThereBeforeTheFirstApplyIsKept() {
    cluster.create("one", "{'spec':{'selector':{'app':'web'}}}");
    cluster.mergePatch("one", "{'metadata':{'managedFields':[{}]}}", "");
    assertThat(cluster.at("metadata").has("managedFields")).isFalse();
    cluster.apply("a", "{'metadata':{'labels':{'x':'1'}}}", false);
    assertThat(cluster.owners())
        .containsExactly(
            "a Apply {f:metadata:{f:labels:{f:x:{}}}}",
            "before-first-apply Update {f:spec:{f:clusterIP:{},f:internalTrafficPolicy:{},"
                + "f:selector:{},f:sessionAffinity:{},f:type:{}}}");
  }

  @Test
  void kubectlTakesOverWhatItAppliedFromTheClient() {
    cluster.create(
        "kubectl-client-side-apply",
        "{'metadata':{'annotations':{'kubectl.kubernetes.io/last-applied-configuration':"
            + "'{\\'spec\\':{\\'selector\\':{\\'app\\':\\'web\\'}}}'}},"
            + "'spec':{'selector':{'app':'web'},'type':'NodePort'}}");
    cluster.apply("kubectl", "{'spec':{'selector':{'app':'new'}}}", false);
    assertThat(cluster.at("spec", "selector", "app").asString()).isEqualTo("new");
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> cluster.apply("kubectl", "{'spec':{'type':'ClusterIP'}}", false))
        .withMessageContaining(".spec.type");
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> cluster.apply("other", "{'spec':{'selector':{'app':'newer'}}}", false))
        .withMessageContaining(".spec.selector");
  }

  record Refusal(String name, String config, int code, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Refusal> refusals() {
    String typed = "failed to create typed patch object (/a; /v1, Kind=Service): ";
    return Stream.of(
        new Refusal(
            "unknown field",
            "{'spec':{'selectr':1}}",
            500,
            typed + ".spec.selectr: field not declared in schema"),
        new Refusal(
            "repeated key",
            "{'spec':{'ports':[{'port':80},{'port':80,'protocol':'TCP'}]}}",
            500,
            typed + ".spec.ports: duplicate entries for key [port=80,protocol=\"TCP\"]"),
        new Refusal(
            "missing keys, which count as zero",
            "{'spec':{'ports':[{'name':'x'},{'name':'y'}]}}",
            500,
            typed + ".spec.ports: duplicate entries for key [port=0,protocol=\"TCP\"]"),
        new Refusal(
            "two problems",
            "{'spec':{'a':1,'b':1}}",
            500,
            typed
                + "errors:\n  .spec.a: field not declared in schema\n"
                + "  .spec.b: field not declared in schema"),
        new Refusal(
            "inside an atomic object",
            "{'metadata':{'ownerReferences':[{'uid':'1','x':1}]}}",
            500,
            typed + ".metadata.ownerReferences[uid=\"1\"].x: field not declared in schema"),
        new Refusal(
            "text for a list",
            "{'spec':{'ports':'x'}}",
            500,
            typed + ".spec.ports: expected list, got &{x}"),
        new Refusal(
            "number for a text",
            "{'spec':{'type':1}}",
            500,
            typed + ".spec.type: expected string, got &value.valueUnstructured{Value:1}"),
        new Refusal(
            "repeated set member",
            "{'metadata':{'finalizers':['e.x/f','e.x/f']}}",
            500,
            typed + ".metadata.finalizers: duplicate entries for key [=\"e.x/f\"]"),
        new Refusal(
            "managedFields in the body",
            "{'metadata':{'managedFields':[{}]}}",
            400,
            "metadata.managedFields must be nil"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void refused(Refusal row) {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> cluster.apply("m", row.config(), false))
        .withMessage(row.message())
        .satisfies(e -> assertThat(e.status().code()).isEqualTo(row.code()));
  }

  @Test
  void containersMergeByNameAndKeepWhatTheServerAdded() {
    StructType pod = Schemas.kubernetes().struct("io.k8s.api.core.v1.Pod");
    FieldManager manager = new FieldManager("m", "v1", "", Instant.EPOCH);
    ObjectNode live =
        json(
            "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':{'containers':["
                + "{'name':'a','image':'x:1','imagePullPolicy':'Always',"
                + "'ports':[{'containerPort':80,'protocol':'TCP'}]},{'name':'s','image':'y:1'}]}}");
    ObjectNode result =
        ServerSideApply.apply(
            live,
            json(
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':{'containers':["
                    + "{'name':'a','image':'x:2','ports':[{'containerPort':80,'name':'http'}]}]}}"),
            pod,
            manager,
            true);
    assertThat(result.path("spec"))
        .isEqualTo(
            json(
                "{'containers':[{'name':'a','image':'x:2','imagePullPolicy':'Always',"
                    + "'ports':[{'containerPort':80,'protocol':'TCP','name':'http'}]},"
                    + "{'name':'s','image':'y:1'}]}"));
  }

  private static ObjectNode overlaid(String over) {
    ObjectNode live =
        json(
            "{'metadata':{'name':'s','labels':{'a':'b'}},'spec':{'type':'ClusterIP',"
                + "'selector':{'app':'a'},'ports':[{'port':80,'name':'http'}]}}");
    return ServerSideApply.overlay(
        live, json(over), Schemas.kubernetes().struct("io.k8s.api.core.v1.Service"));
  }

  @Test
  void anOverlayAddsAndChangesAndNamesNoManager() {
    ObjectNode result =
        overlaid(
            "{'metadata':{'labels':{'x':'y'}},'spec':{'type':'NodePort',"
                + "'ports':[{'port':80,'name':'web'},{'port':81}]}}");
    assertThat(result)
        .isEqualTo(
            json(
                "{'metadata':{'name':'s','labels':{'a':'b','x':'y'}},'spec':{'type':'NodePort',"
                    + "'selector':{'app':'a'},'ports':[{'port':80,'name':'web'},{'port':81}]}}"));
  }

  @Test
  void anOverlayReplacesNothingThatIsOwnedWhole() {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> overlaid("{'spec':{'selector':{'x':'y'},'externalIPs':['192.0.2.1']}}"))
        .withMessage(
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector,"
                + " .spec.externalIPs");
  }

  @Test
  void anOverlayFitsItsType() {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> overlaid("{'spec':{'nothing':1}}"))
        .withMessage(
            "failed to convert patch object to typed object: .spec.nothing: field not declared in"
                + " schema");
  }
}
