package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Admission policies as clients meet them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionPolicyTest {
  private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
  private static final String POLICIES = "validatingadmissionpolicies";
  private static final String BINDINGS = "validatingadmissionpolicybindings";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String DENIED =
      "configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied"
          + " request: ";

  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @AfterEach
  void forget() {
    for (String plural : List.of(BINDINGS, POLICIES)) {
      assertThat(server.send("DELETE", GROUP + plural).now().code()).isEqualTo(200);
    }
    server.send("DELETE", MAPS).now();
  }

  private void policy(String spec) {
    Answer made =
        server.post(
            GROUP + POLICIES,
            "{'metadata':{'name':'p'},'spec':{'matchConstraints':{'resourceRules':[{'operations':"
                + "['*'],'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps']}]},"
                + spec
                + "}}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  private void bind(String spec) {
    Answer made =
        server.post(
            GROUP + BINDINGS, "{'metadata':{'name':'b'},'spec':{'policyName':'p'," + spec + "}}");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
  }

  private Answer map(String data) {
    return server.post(MAPS + "?dryRun=All", "{'metadata':{'name':'m'},'data':{" + data + "}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "has(object.data) && object.data.a == 'x'; 'a':'x'; 201; ''",
        "object.data.a == 'x'; 'a':'y'; 422; failed expression: object.data.a == 'x'",
        "object.data.b == 'x'; 'a':'y'; 422;"
            + " expression 'object.data.b == 'x'' resulted in error: no such key: b",
        "oldObject == null; 'a':'y'; 201; ''",
        "request.operation == 'CREATE' && request.dryRun; 'a':'y'; 201; ''",
        "request.userInfo.username == 'nobody'; 'a':'y'; 422;"
            + " failed expression: request.userInfo.username == 'nobody'",
        "namespaceObject.metadata.name == 'default'; 'a':'y'; 201; ''",
        "authorizer.group('').resource('pods').namespace('n').check('get').allowed(); 'a':'y'; 201;"
            + " ''",
        "authorizer.requestResource.check('delete').allowed(); 'a':'y'; 201; ''",
        "authorizer.path('/metrics').check('get').allowed(); 'a':'y'; 201; ''",
        "!authorizer.serviceAccount('n', 's').group('').resource('pods').name('p')"
            + ".subresource('log').check('get').allowed(); 'a':'y'; 201; ''",
        "variables.long; 'a':'yyyy'; 201; ''",
        "variables.long; 'a':'y'; 422; failed expression: variables.long",
      })
  void expressionsDecide(String expression, String data, int code, String message) {
    policy(
        "'variables':[{'name':'size','expression':'object.data.a.size()'},"
            + "{'name':'long','expression':'variables.size > 3'}],'validations':[{'expression':"
            + "'"
            + expression.replace("'", "\\u0027")
            + "'}]");
    bind("'validationActions':['Deny']");
    Answer answer = map(data);
    assertThat(answer.code()).as(answer.text()).isEqualTo(code);
    if (code != 201) {
      assertThat(answer.message()).isEqualTo(DENIED + message);
      assertThat(answer.at("reason")).isEqualTo("Invalid");
    }
  }

  @Test
  void aPolicyWithoutABindingDoesNothing() {
    policy("'validations':[{'expression':'false'}]");
    assertThat(map("").code()).isEqualTo(201);
    assertThat(server.get(GROUP + POLICIES + "/p").json().at("/status/typeChecking").isObject())
        .isTrue();
  }

  @Test
  void reasonsAndWordsAreThePolicys() {
    policy(
        "'validations':[{'expression':'false','reason':'Forbidden','message':'no',"
            + "'messageExpression':'\\u0027not \\u0027 + object.metadata.name'}]");
    bind("'validationActions':['Deny']");
    Answer refused = map("");
    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.message()).isEqualTo(DENIED + "not m");
    assertThat(refused.json().at("/details/causes/0/message").asString("")).isEqualTo("not m");
  }

  @Test
  void aWarningLetsPass() {
    policy("'validations':[{'expression':'false','message':'no'}]");
    bind("'validationActions':['Warn','Audit']");
    Answer warned = map("");
    assertThat(warned.code()).isEqualTo(201);
    assertThat(warned.header("Warning"))
        .isEqualTo(
            "299 - \"Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': no\"");
  }

  @Test
  void whatPoliciesNoteIsInTheAuditLog(@TempDir Path directory) throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), "t,root,1,system:masters\n");
    Path log = directory.resolve("audit.log");
    try (TestServer audited = TestServer.startAudited(directory.resolve("pki"), tokens, log)) {
      String rules =
          "{'metadata':{'name':'p'},'spec':{'matchConstraints':{'resourceRules':[{'operations':"
              + "['*'],'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps']}]},"
              + "'auditAnnotations':[{'key':'who','valueExpression':'request.userInfo.username'}],"
              + "'validations':[{'expression':'false','message':'no'}]}}";
      String bound =
          "{'metadata':{'name':'b'},'spec':{'policyName':'p','validationActions':['Audit']}}";
      for (String[] each :
          new String[][] {
            {GROUP + POLICIES, rules},
            {GROUP + BINDINGS, bound},
            {MAPS, "{'metadata':{'name':'m'}}"}
          }) {
        Answer made =
            audited.send("POST", each[0]).header("Authorization", "Bearer t").body(each[1]).now();
        assertThat(made.code()).as(made.text()).isEqualTo(201);
      }
    }
    assertThat(Files.readString(log))
        .contains(
            "\"p/who\":\"root\"",
            "\"validation.policy.admission.k8s.io/validation_failure\":\"[{\\\"message\\\":"
                + "\\\"no\\\",\\\"policy\\\":\\\"p\\\",\\\"binding\\\":\\\"b\\\"");
  }

  @Test
  void parametersAreObjects() {
    server.post("/api/v1/namespaces", "{'metadata':{'name':'rules'}}");
    policy(
        "'paramKind':{'apiVersion':'v1','kind':'ConfigMap'},'validations':[{'expression':"
            + "'object.data.a == params.data.a'}]");
    bind(
        "'validationActions':['Deny'],'paramRef':{'name':'r','namespace':'rules',"
            + "'parameterNotFoundAction':'Deny'}");
    assertThat(map("'a':'x'").message())
        .isEqualTo(
            DENIED
                + "failed to configure binding: no params found for policy binding with `Deny`"
                + " parameterNotFoundAction");
    server.send("DELETE", GROUP + BINDINGS).now();
    server.post(
        "/api/v1/namespaces/rules/configmaps", "{'metadata':{'name':'r'},'data':{'a':'x'}}");
    bind(
        "'validationActions':['Deny'],'paramRef':{'name':'r','namespace':'rules',"
            + "'parameterNotFoundAction':'Deny'},'matchResources':{'namespaceSelector':"
            + "{'matchLabels':{'kubernetes.io/metadata.name':'default'}}}");
    assertThat(map("'a':'x'").code()).isEqualTo(201);
    assertThat(map("'a':'y'").code()).isEqualTo(422);
  }

  @Test
  void conditionsAndFailurePolicyDecideWhetherToAsk() {
    policy(
        "'failurePolicy':'Ignore','matchConditions':[{'name':'c','expression':"
            + "'object.data.size() > 0'}],'validations':[{'expression':'object.data.b == object.data.a'}]");
    bind("'validationActions':['Deny']");
    assertThat(map("").code()).isEqualTo(201);
    assertThat(map("'a':'x'").code()).isEqualTo(201);
    assertThat(map("'a':'x','b':'y'").code()).isEqualTo(422);
  }

  @Test
  void mistakesAreSaidWhenAPolicyIsMade() {
    Answer refused =
        server.post(
            GROUP + POLICIES,
            "{'metadata':{'name':'p'},'spec':{'validations':[{'expression':'nobody.knows'},"
                + "{'expression':'1'}]}}");
    assertThat(refused.code()).isEqualTo(422);
    assertThat(refused.message())
        .contains(
            "spec.matchConstraints: Required value",
            "undeclared reference to 'nobody'",
            "must evaluate to bool but got int");
    assertThat(
            server
                .post(
                    GROUP + BINDINGS,
                    "{'metadata':{'name':'b'},'spec':{'policyName':'p',"
                        + "'validationActions':['Deny','Warn']}}")
                .message())
        .contains("must not contain both Deny and Warn");
  }
}
