package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.TestServer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// What a policy's status says of expressions that cannot be, by the types of what they are about.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyTypeCheckTest {
  private static final String POLICIES =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  private static final String DEPLOYMENT = "apps/v1, Kind=Deployment: ERROR: <input>:1:";

  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start();
    Answer made =
        server.post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            """
            {'metadata':{'name':'widgets.types.example.com'},'spec':{'group':'types.example.com',
             'scope':'Namespaced','names':{'plural':'widgets','kind':'Widget'},'versions':[
             {'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object',
              'properties':{'spec':{'type':'object','properties':{'size':{'type':'integer'},
               'free':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}}}}}]}}
            """);
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @AfterEach
  void forget() {
    server.send("DELETE", POLICIES).now();
  }

  private static String rule(String group, String resource) {
    return "{'operations':['*'],'apiGroups':['%s'],'apiVersions':['v1'],'resources':['%s']}"
        .formatted(group, resource);
  }

  private static String spec(String rules, String rest) {
    return "{'metadata':{'name':'p'},'spec':{'matchConstraints':{'resourceRules':["
        + rules
        + "]},"
        + rest
        + "}}";
  }

  private JsonNode status(String rules, String rest) {
    Answer made = server.post(POLICIES, spec(rules, rest));
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    return made.json().path("status");
  }

  private static String validation(String expression) {
    return "'validations':[{'expression':'" + expression.replace("'", "\\u0027") + "'}]";
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "object.spec.replicas <= 5; fine",
        "object.spec.replicas <= '5'; 22: found no matching overload for '_<=_' applied to"
            + " '(int, string)'",
        "object.spec.replics <= 5; 12: undefined field 'replics'",
        "object.metadata.labels['a'] == 'x' && object.metadata.namespace == 'n'; fine",
        "object.spec.template.spec.containers.all(c, c.image.startsWith('r/')); fine",
        "object.spec.template.spec.containers.all(c, c.imag == ''); 46: undefined field 'imag'",
        "object.spec.template.spec.containers[0].livenessProbe.httpGet.port == 80; fine",
        "object.metadata.creationTimestamp < timestamp('2030-01-01T00:00:00Z'); fine",
        "oldObject == null || oldObject.spec.paused == object.spec.paused; fine",
        "request.userInfo.groups.exists(g, g == 'a') && request.dryRun; fine",
        "request.user == 'a'; 8: undefined field 'user'",
        "namespaceObject.metadata.labels.size() > 0; fine",
        "authorizer.requestResource.check('get').allowed(); fine",
      })
  void builtInKinds(String expression, String warning) {
    JsonNode status = status(rule("apps", "deployments"), validation(expression));
    assertThat(status.path("observedGeneration").asInt(0)).isEqualTo(1);
    if (warning.equals("fine")) {
      assertThat(status.path("typeChecking")).isEqualTo(Json.object());
      return;
    }
    JsonNode warnings = status.at("/typeChecking/expressionWarnings");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.at("/0/fieldRef").asString("")).isEqualTo("spec.validations[0].expression");
    assertThat(warnings.at("/0/warning").asString(""))
        .startsWith(DEPLOYMENT + warning + "\n | " + expression + "\n | ")
        .endsWith("^\n");
  }

  @Test
  void eachKindIsNamedInOrder() {
    JsonNode warnings =
        status(
                rule("types.example.com", "widgets") + "," + rule("", "pods', 'secrets"),
                validation("object.spec.size > 0 && object.spec.free.any.thing == 1"))
            .at("/typeChecking/expressionWarnings");
    assertThat(warnings).hasSize(1);
    assertThat(warnings.at("/0/warning").asString("").replaceAll("\n \\|.*", ""))
        .isEqualTo(
            "/v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'size'\n\n"
                + "/v1, Kind=Secret: ERROR: <input>:1:7: undefined field 'spec'\n");
    server.send("DELETE", POLICIES).now();
    assertThat(
            status(rule("types.example.com", "widgets"), validation("object.spec.sice > 0"))
                .at("/typeChecking/expressionWarnings/0/warning")
                .asString(""))
        .startsWith("types.example.com/v1, Kind=Widget: ERROR: <input>:1:12: undefined field");
  }

  @Test
  void whatIsNotNamedIsNotChecked() {
    for (String rule : new String[] {rule("*", "pods"), rule("", "pods/status"), rule("", "*")}) {
      assertThat(status(rule, validation("object.nothing == 1")).path("typeChecking"))
          .isEqualTo(Json.object());
      server.send("DELETE", POLICIES).now();
    }
  }

  @Test
  void messagesVariablesAndParametersHaveTypesToo() {
    JsonNode warnings =
        status(
                rule("apps", "deployments"),
                "'paramKind':{'apiVersion':'v1','kind':'ConfigMap'},"
                    + "'variables':[{'name':'many','expression':'object.spec.replicas > 3'},"
                    + "{'name':'wrong','expression':'object.spec.none'}],"
                    + "'validations':[{'expression':'variables.many || params.data.a.size() > 0'},"
                    + "{'expression':'variables.wrong'},"
                    + "{'expression':'true','messageExpression':'string(params.datas)'}]")
            .at("/typeChecking/expressionWarnings");
    assertThat(warnings.valueStream().map(each -> each.path("fieldRef").asString("")))
        .containsExactly("spec.validations[1].expression", "spec.validations[2].messageExpression");
    assertThat(warnings.at("/0/warning").asString("")).contains("undefined field 'wrong'");
    assertThat(warnings.at("/1/warning").asString("")).contains("undefined field 'datas'");
  }

  @Test
  void aChangedPolicyIsCheckedAgain() {
    String rules = rule("apps", "deployments");
    JsonNode before = status(rules, validation("object.spec.none == 1"));
    assertThat(before.at("/typeChecking/expressionWarnings")).hasSize(1);
    Answer changed = patched("{'spec':{" + validation("object.spec.replicas == 1") + "}}");
    assertThat(changed.json().at("/metadata/generation").asInt(0)).isEqualTo(2);
    assertThat(changed.json().path("status"))
        .isEqualTo(Json.object().put("observedGeneration", 2).set("typeChecking", Json.object()));
    Answer labelled = patched("{'metadata':{'labels':{'a':'b'}}}");
    assertThat(labelled.json().at("/status/observedGeneration").asInt(0)).isEqualTo(2);
  }

  private Answer patched(String patch) {
    return server
        .send("PATCH", POLICIES + "/p")
        .header("Content-Type", "application/merge-patch+json")
        .body(patch)
        .now();
  }
}
