package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.server.webhook.TestWebhook;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Webhooks as clients meet them, with real ones that speak TLS in this process.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebhookAdmissionTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String ALLOW = "{'allowed':true}";

  private final AtomicReference<Function<ObjectNode, ObjectNode>> answer = new AtomicReference<>();
  private TestServer server;
  private TestWebhook hook;

  @BeforeAll
  void start(@TempDir Path keys) throws Exception {
    server = TestServer.start();
    hook = TestWebhook.answering(keys, request -> answer.get().apply(request));
    server.post("/api/v1/namespaces/default/serviceaccounts", "{'metadata':{'name':'default'}}");
  }

  @AfterAll
  void stop() {
    hook.close();
    server.close();
  }

  @AfterEach
  void forget() {
    for (String plural :
        List.of("mutatingwebhookconfigurations", "validatingwebhookconfigurations")) {
      assertThat(server.send("DELETE", GROUP + plural).now().code()).isEqualTo(200);
    }
    hook.asked().clear();
    for (String plural : List.of("configmaps", "pods", "replicationcontrollers")) {
      server.send("DELETE", "/api/v1/namespaces/default/" + plural + "?gracePeriodSeconds=0").now();
    }
  }

  private static ObjectNode tree(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(UTF_8));
  }

  private void answering(String response) {
    answer.set(_ -> tree(response));
  }

  private static String patch(String operations) {
    return "{'allowed':true,'patchType':'JSONPatch','patch':'"
        + Base64.getEncoder().encodeToString(operations.replace('\'', '"').getBytes(UTF_8))
        + "'}";
  }

  private String webhook(String name, String rule, String more) {
    return "{'name':'"
        + name
        + "','admissionReviewVersions':['v1'],'sideEffects':'None','clientConfig':"
        + hook.clientConfig()
        + ",'rules':["
        + rule
        + "]"
        + more
        + "}";
  }

  private static String rule(String operations, String groups, String resources) {
    return "{'operations':['"
        + operations.replace(" ", "','")
        + "'],'apiGroups':['"
        + groups
        + "'],'apiVersions':['v1'],'resources':['"
        + resources.replace(" ", "','")
        + "']}";
  }

  private void configure(String plural, String name, String... webhooks) {
    Answer made =
        server.post(
            GROUP + plural,
            "{'metadata':{'name':'" + name + "'},'webhooks':[" + String.join(",", webhooks) + "]}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  private void validate(String rule) {
    configure("validatingwebhookconfigurations", "v", webhook("v.example.com", rule, ""));
  }

  private Answer map(String name, String more) {
    return server.post(MAPS, "{'metadata':{'name':'" + name + "'" + more + "}}");
  }

  @Test
  void whatIsAskedIsTheOriginalsDocument() {
    answering(ALLOW);
    validate(rule("*", "", "configmaps"));
    assertThat(
            server.post(MAPS + "?fieldManager=me&dryRun=All", "{'metadata':{'name':'m'}}").code())
        .isEqualTo(201);
    ObjectNode review = hook.asked().getFirst().deepCopy();
    assertThat(review.path("apiVersion").asString("")).isEqualTo("admission.k8s.io/v1");
    ObjectNode request = (ObjectNode) review.path("request");
    assertThat(request.path("uid").asString("")).hasSize(36);
    request.put("uid", "U");
    ObjectNode object = (ObjectNode) request.path("object");
    assertThat(object.path("metadata").path("uid").asString("")).hasSize(36);
    object.remove("metadata");
    assertThat(request)
        .isEqualTo(
            tree(
                "{'uid':'U','kind':{'group':'','version':'v1','kind':'ConfigMap'},'resource':"
                    + "{'group':'','version':'v1','resource':'configmaps'},'requestKind':"
                    + "{'group':'','version':'v1','kind':'ConfigMap'},'requestResource':"
                    + "{'group':'','version':'v1','resource':'configmaps'},'name':'m','namespace':"
                    + "'default','operation':'CREATE','userInfo':{'username':'admin','groups':"
                    + "['system:masters']},'object':{'kind':'ConfigMap','apiVersion':'v1'},"
                    + "'oldObject':null,'dryRun':true,'options':{'kind':'CreateOptions',"
                    + "'apiVersion':'meta.k8s.io/v1','dryRun':['All'],'fieldManager':'me'}}"));
  }

  record Denial(String name, String response, int code, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Denial> denials() {
    String denied = "admission webhook \"v.example.com\" denied the request";
    String failed = "Internal error occurred: failed calling webhook \"v.example.com\": ";
    String invalid = failed + "received invalid webhook response: ";
    return Stream.of(
        new Denial("no word", "{'allowed':false}", 400, denied + " without explanation"),
        new Denial(
            "a message",
            "{'allowed':false,'status':{'code':403,'message':'no','reason':'Forbidden'}}",
            403,
            denied + ": no"),
        new Denial(
            "a reason",
            "{'allowed':false,'status':{'reason':'TooMuch'}}",
            400,
            denied + ": TooMuch"),
        new Denial(
            "a code of success",
            "{'allowed':false,'status':{'code':200,'message':'no'}}",
            400,
            denied + ": no"),
        new Denial(
            "another uid",
            "{'allowed':true,'uid':'x'}",
            500,
            invalid + "expected response.uid=\"UID\", got \"x\""),
        new Denial(
            "a patch",
            "{'allowed':true,'patch':'W10=','patchType':'JSONPatch'}",
            500,
            invalid + "validating webhook may not return response.patch"));
  }

  @ParameterizedTest
  @MethodSource("denials")
  void refusalsAreToldInTheWordsOfTheOriginal(Denial row) {
    answering(row.response());
    validate(rule("CREATE", "", "configmaps"));
    Answer refused = map("m", "");
    assertThat(refused.code()).isEqualTo(row.code());
    String uid = hook.asked().getFirst().at("/request/uid").asString("");
    assertThat(refused.message().replace(uid, "UID")).isEqualTo(row.message());
    assertThat(server.get(MAPS + "/m").code()).isEqualTo(404);
  }

  @Test
  void objectsAreChangedInTheOrderOfNamesAndThenJudged() {
    answer.set(
        request ->
            request.path("object").path("metadata").path("uid").isMissingNode()
                ? tree(patch("[{'op':'add','path':'/data','value':{'a':'b'}}]"))
                : tree(ALLOW));
    configure(
        "mutatingwebhookconfigurations",
        "b",
        webhook("second.example.com", rule("CREATE", "", "configmaps"), ""));
    configure(
        "mutatingwebhookconfigurations",
        "a",
        webhook("first.example.com", rule("CREATE", "", "configmaps"), ""));
    validate(rule("CREATE", "", "configmaps"));
    Answer made = map("m", "");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.at("data", "a")).isEqualTo("b");
    List<String> seen =
        hook.asked().stream().map(each -> each.at("/request/object/data").toString()).toList();
    assertThat(seen).containsExactly("", "{\"a\":\"b\"}", "{\"a\":\"b\"}");
  }

  @Test
  void whoWantsToSeesLaterChanges() {
    answer.set(
        request -> {
          JsonNode data = request.path("object").path("data");
          return data.has("two") || !data.has("one")
              ? tree(
                  patch(
                      data.isObject()
                          ? "[{'op':'add','path':'/data/three','value':'3'}]"
                          : "[{'op':'add','path':'/data','value':{'one':'1'}}]"))
              : tree(patch("[{'op':'add','path':'/data/two','value':'2'}]"));
        });
    configure(
        "mutatingwebhookconfigurations",
        "a",
        webhook(
            "again.example.com",
            rule("CREATE", "", "configmaps"),
            ",'reinvocationPolicy':'IfNeeded'"),
        webhook("once.example.com", rule("CREATE", "", "configmaps"), ""));
    Answer made = map("m", "");
    assertThat(made.json().path("data").toString())
        .isEqualTo("{\"one\":\"1\",\"two\":\"2\",\"three\":\"3\"}");
    assertThat(hook.asked()).hasSize(3);
  }

  @Test
  void podsThatAreChangedPassTheServersOwnPluginsAgain() {
    answering(patch("[{'op':'add','path':'/metadata/labels','value':{'a':'b'}}]"));
    configure(
        "mutatingwebhookconfigurations", "a", webhook("a.example.com", rule("*", "", "pods"), ""));
    Answer made =
        server.post(
            "/api/v1/namespaces/default/pods",
            "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i:1'}]}}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.at("metadata", "labels", "a")).isEqualTo("b");
    assertThat(made.json().at("/spec/tolerations").size()).isEqualTo(2);
    assertThat(made.json().at("/spec/volumes").size()).isEqualTo(1);
    assertThat(hook.asked().getFirst().at("/request/object/spec/containers/0/resources"))
        .isEqualTo(Json.object());
  }

  @Test
  void selectorsAndExemptionsKeepRequestsAway() {
    answering("{'allowed':false}");
    server.post("/api/v1/namespaces", "{'metadata':{'name':'far','labels':{'far':'yes'}}}");
    configure(
        "validatingwebhookconfigurations",
        "n",
        webhook(
            "n.example.com",
            rule("*", "", "configmaps"),
            ",'namespaceSelector':{'matchLabels':{'far':'yes'}},"
                + "'objectSelector':{'matchExpressions':[{'key':'x','operator':'Exists'}]}"),
        webhook("c.example.com", rule("*", "admissionregistration.k8s.io", "*"), ""));
    String far = MAPS.replace("default", "far");
    assertThat(map("m", ",'labels':{'x':'1'}").code()).isEqualTo(201);
    assertThat(server.post(far, "{'metadata':{'name':'m'}}").code()).isEqualTo(201);
    assertThat(server.post(far, "{'metadata':{'name':'l','labels':{'x':'1'}}}").code())
        .isEqualTo(400);
    assertThat(hook.asked()).hasSize(1);
    configure("validatingwebhookconfigurations", "other");
    assertThat(server.send("DELETE", "/api/v1/namespaces/far").now().code()).isEqualTo(200);
  }

  @Test
  void updatesPatchesAndDeletionsAreJudged() {
    assertThat(map("m", "").code()).isEqualTo(201);
    answering("{'allowed':false,'status':{'message':'no'}}");
    validate(rule("UPDATE DELETE", "", "configmaps"));
    String no = "admission webhook \"v.example.com\" denied the request: no";
    assertThat(map("other", "").code()).isEqualTo(201);
    assertThat(
            server
                .send("PATCH", MAPS + "/m")
                .header("Content-Type", "application/merge-patch+json")
                .body("{'data':{'a':'b'}}")
                .now()
                .message())
        .isEqualTo(no);
    JsonNode asked = hook.asked().getFirst().path("request");
    assertThat(asked.path("operation").asString("")).isEqualTo("UPDATE");
    assertThat(asked.at("/object/data/a").asString("")).isEqualTo("b");
    assertThat(asked.at("/oldObject/metadata/name").asString("")).isEqualTo("m");
    assertThat(asked.at("/options/kind").asString("")).isEqualTo("UpdateOptions");
    assertThat(
            server
                .send("DELETE", MAPS + "/m")
                .body("{'kind':'DeleteOptions','gracePeriodSeconds':3}")
                .now()
                .message())
        .isEqualTo(no);
    asked = hook.asked().getLast().path("request");
    assertThat(asked.path("operation").asString("")).isEqualTo("DELETE");
    assertThat(asked.path("object").isNull()).isTrue();
    assertThat(asked.at("/oldObject/metadata/name").asString("")).isEqualTo("m");
    assertThat(asked.at("/options/gracePeriodSeconds").asInt(0)).isEqualTo(3);
    assertThat(server.send("DELETE", MAPS).now().message()).isEqualTo(no);
    answering(ALLOW);
    assertThat(server.send("DELETE", MAPS).now().code()).isEqualTo(200);
    assertThat(server.get(MAPS + "/m").code()).isEqualTo(404);
  }

  @Test
  void subresourcesAndConnectionsAreJudged() {
    server.post(
        "/api/v1/namespaces/default/pods",
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i:1'}]}}");
    server.post(
        "/api/v1/namespaces/default/replicationcontrollers",
        "{'metadata':{'name':'r'},'spec':{'replicas':1,'selector':{'a':'b'},'template':"
            + "{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i:1'}]}}}}");
    answering("{'allowed':false,'status':{'message':'no'}}");
    validate(rule("*", "", "pods/attach pods/eviction */status */scale"));
    String no = "admission webhook \"v.example.com\" denied the request: no";
    String pod = "/api/v1/namespaces/default/pods/p";
    assertThat(server.post(pod + "/attach?container=c&stdin=true", "").message()).isEqualTo(no);
    assertThat(hook.asked().getLast().at("/request/object"))
        .isEqualTo(
            tree("{'kind':'PodAttachOptions','apiVersion':'v1','stdin':true,'container':'c'}"));
    assertThat(hook.asked().getLast().at("/request/operation").asString("")).isEqualTo("CONNECT");
    assertThat(
            server
                .post(
                    pod + "/eviction",
                    "{'kind':'Eviction','apiVersion':'policy/v1','metadata':{'name':'p'}}")
                .message())
        .isEqualTo(no);
    assertThat(hook.asked().getLast().at("/request/kind/kind").asString("")).isEqualTo("Eviction");
    assertThat(
            server
                .send("PATCH", pod + "/status")
                .header("Content-Type", "application/merge-patch+json")
                .body("{'status':{'message':'x'}}")
                .now()
                .message())
        .isEqualTo(no);
    assertThat(hook.asked().getLast().at("/request/subResource").asString("")).isEqualTo("status");
    assertThat(
            server
                .send("PATCH", "/api/v1/namespaces/default/replicationcontrollers/r/scale")
                .header("Content-Type", "application/merge-patch+json")
                .body("{'spec':{'replicas':2}}")
                .now()
                .message())
        .isEqualTo(no);
    assertThat(hook.asked().getLast().at("/request/kind/kind").asString("")).isEqualTo("Scale");
    assertThat(hook.asked().getLast().at("/request/object/spec/replicas").asInt(0)).isEqualTo(2);
    assertThat(hook.asked()).hasSize(4);
  }

  @Test
  void aRuleForAnotherVersionSeesThatVersion() {
    answering("{'allowed':true,'warnings':['careful']}");
    validate(rule("CREATE", "autoscaling", "horizontalpodautoscalers"));
    configure(
        "validatingwebhookconfigurations",
        "exact",
        webhook(
            "e.example.com",
            rule("CREATE", "autoscaling", "horizontalpodautoscalers"),
            ",'matchPolicy':'Exact'"));
    Answer made =
        server.post(
            "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers?dryRun=All",
            "{'metadata':{'name':'h'},'spec':{'maxReplicas':2,'scaleTargetRef':"
                + "{'kind':'Deployment','name':'d','apiVersion':'apps/v1'},'metrics':[{'type':"
                + "'Resource','resource':{'name':'cpu','target':{'type':'Utilization',"
                + "'averageUtilization':50}}}]}}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    assertThat(made.header("Warning")).isEqualTo("299 - \"careful\"");
    assertThat(hook.asked()).hasSize(1);
    JsonNode request = hook.asked().getFirst().path("request");
    assertThat(request.at("/resource/version").asString("")).isEqualTo("v1");
    assertThat(request.at("/requestResource/version").asString("")).isEqualTo("v2");
    assertThat(request.at("/object/apiVersion").asString("")).isEqualTo("autoscaling/v1");
    assertThat(request.at("/object/spec/targetCPUUtilizationPercentage").asInt(0)).isEqualTo(50);
  }

  @ParameterizedTest
  @CsvSource({"Fail, 500", "Ignore, 201"})
  void whatCannotBeAskedIsRefusedOrLetPass(String policy, int code) {
    String nowhere = webhook("w.example.com", rule("*", "", "configmaps"), "");
    configure(
        "validatingwebhookconfigurations",
        "v",
        nowhere
            .replace(":" + hook.port() + "/", ":1/")
            .replaceFirst("\\}$", ",'failurePolicy':'" + policy + "'}"));
    Answer made = map("m", "");
    assertThat(made.code()).isEqualTo(code);
    if (code == 500) {
      assertThat(made.message())
          .isEqualTo(
              "Internal error occurred: failed calling webhook \"w.example.com\": failed to call"
                  + " webhook: Post \"https://127.0.0.1:1/hook?timeout=10s\": dial tcp 127.0.0.1:1:"
                  + " connect: connection refused");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "request.name == \\u0027m\\u0027; Fail; 400",
        "request.name == \\u0027n\\u0027; Fail; 201",
        "object.data.x; Fail; 403",
        "object.data.x; Ignore; 201"
      })
  void conditionsKeepRequestsAway(String expression, String policy, int code) {
    answering("{'allowed':false}");
    configure(
        "validatingwebhookconfigurations",
        "v",
        webhook(
            "v.example.com",
            rule("CREATE", "", "configmaps"),
            ",'failurePolicy':'"
                + policy
                + "','matchConditions':[{'name':'c','expression':'"
                + expression
                + "'}]"));
    Answer made = map("m", "");
    assertThat(made.code()).as(made.text()).isEqualTo(code);
    if (code == 403) {
      assertThat(made.message())
          .startsWith(
              "configmaps \"m\" is forbidden: expression 'object.data.x' resulted in error");
    }
  }

  @Test
  void aPatchThatDoesNotApplyRefuses() {
    answering(patch("[{'op':'remove','path':'/data/none'}]"));
    configure(
        "mutatingwebhookconfigurations",
        "a",
        webhook("a.example.com", rule("CREATE DELETE", "", "configmaps"), ""));
    assertThat(map("m", "").code()).isEqualTo(500);
  }

  @Test
  void configurationsAreCompletedAndChecked() {
    String plural = "mutatingwebhookconfigurations";
    configure(plural, "d", webhook("d.example.com", rule("*", "", "configmaps"), ""));
    JsonNode webhook = server.get(GROUP + plural + "/d").json().at("/webhooks/0");
    assertThat(webhook.path("failurePolicy").asString("")).isEqualTo("Fail");
    assertThat(webhook.path("matchPolicy").asString("")).isEqualTo("Equivalent");
    assertThat(webhook.path("reinvocationPolicy").asString("")).isEqualTo("Never");
    assertThat(webhook.path("timeoutSeconds").asInt(0)).isEqualTo(10);
    assertThat(webhook.path("namespaceSelector")).isEqualTo(Json.object());
    assertThat(webhook.at("/rules/0/scope").asString("")).isEqualTo("*");
    Answer refused =
        server.post(
            GROUP + plural,
            "{'metadata':{'name':'x'},'webhooks':[{'name':'short','clientConfig':{},"
                + "'timeoutSeconds':31,'rules':[{'operations':['READ'],'apiGroups':['*','a'],"
                + "'apiVersions':['v1'],'resources':['a/b','*']}]}]}");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .contains(
            "webhooks[0].name: Invalid value: \"short\": should be a domain with at least three"
                + " segments separated by dots",
            "webhooks[0].rules[0].operations[0]: Unsupported value: \"READ\": supported values:"
                + " \"*\", \"CONNECT\", \"CREATE\", \"DELETE\", \"UPDATE\"",
            "webhooks[0].rules[0].apiGroups: Invalid value: [\"*\",\"a\"]: if '*' is present, must"
                + " not specify other API groups",
            "webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun",
            "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1"
                + " and 30 seconds",
            "webhooks[0].clientConfig: Required value: exactly one of url or service is required",
            "webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1");
  }
}
