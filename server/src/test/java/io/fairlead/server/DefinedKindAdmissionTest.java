package io.fairlead.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.server.TestServer.Answer;
import io.fairlead.server.webhook.TestWebhook;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// Webhooks and policies about kinds that are defined while the server runs.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DefinedKindAdmissionTest {
  private static final String WIDGETS = "/apis/shop.example.com/v1/namespaces/default/widgets";
  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";

  private TestServer server;
  private TestWebhook hook;

  @BeforeAll
  void start(@TempDir Path keys) throws Exception {
    server = TestServer.start();
    hook =
        TestWebhook.answering(
            keys,
            _ ->
                tree(
                    "{'allowed':true,'patchType':'JSONPatch','patch':'"
                        + Base64.getEncoder()
                            .encodeToString(
                                "[{'op':'add','path':'/spec/colour','value':'red'},{'op':'add','path':'/spec/unknown','value':1}]"
                                    .replace('\'', '"')
                                    .getBytes(UTF_8))
                        + "'}"));
    made(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        """
        {'metadata':{'name':'widgets.shop.example.com'},
         'spec':{'group':'shop.example.com','scope':'Namespaced',
          'names':{'plural':'widgets','kind':'Widget'},
          'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{
           'type':'object','properties':{'spec':{'type':'object','properties':{
            'size':{'type':'integer','default':1},'colour':{'type':'string'},
            'note':{'type':'string','nullable':true}}}}}}}]}}
        """);
  }

  @AfterAll
  void stop() {
    hook.close();
    server.close();
  }

  private static ObjectNode tree(String text) {
    return Json.parseObject(text.replace('\'', '"').getBytes(UTF_8));
  }

  private void made(String path, String body) {
    Answer answer = server.post(path, body);
    assertThat(answer.code()).as(answer.text()).isEqualTo(201);
  }

  private static String widget(String name, String spec) {
    return "{'apiVersion':'shop.example.com/v1','kind':'Widget','metadata':{'name':'"
        + name
        + "'},'spec':"
        + spec
        + "}";
  }

  @Test
  void aWebhookChangesItAndItsSchemaHolds() {
    made(
        REGISTRATION + "mutatingwebhookconfigurations",
        "{'metadata':{'name':'m'},'webhooks':[{'name':'m.example.com','admissionReviewVersions':"
            + "['v1'],'sideEffects':'None','clientConfig':"
            + hook.clientConfig()
            + ",'rules':[{'operations':['CREATE'],'apiGroups':['shop.example.com'],"
            + "'apiVersions':['v1'],'resources':['widgets']}]}]}");
    Answer answer = server.post(WIDGETS, widget("a", "{'note':null}"));
    assertThat(answer.code()).as(answer.text()).isEqualTo(201);
    assertThat(answer.json().path("spec")).isEqualTo(tree("{'colour':'red','size':1,'note':null}"));
    assertThat(hook.asked().getFirst().path("request").path("object").path("spec"))
        .isEqualTo(tree("{'note':null,'size':1}"));
    assertThat(server.send("DELETE", REGISTRATION + "mutatingwebhookconfigurations/m").now().code())
        .isEqualTo(200);
  }

  @Test
  void aPolicyRefusesItByAParameterOfADefinedKind() {
    made(WIDGETS, widget("limit", "{'size':3}"));
    made(
        REGISTRATION + "validatingadmissionpolicies",
        """
        {'metadata':{'name':'p'},'spec':{'paramKind':{'apiVersion':'shop.example.com/v1','kind':'Widget'},
         'matchConstraints':{'resourceRules':[{'operations':['CREATE'],'apiGroups':['shop.example.com'],
          'apiVersions':['v1'],'resources':['widgets']}]},
         'validations':[{'expression':'object.spec.size <= params.spec.size','message':'too large'}]}}
        """);
    made(
        REGISTRATION + "validatingadmissionpolicybindings",
        "{'metadata':{'name':'b'},'spec':{'policyName':'p','validationActions':['Deny'],"
            + "'paramRef':{'name':'limit','namespace':'default','parameterNotFoundAction':'Deny'}}}");
    Answer answer = server.post(WIDGETS, widget("large", "{'size':4}"));
    assertThat(answer.code()).as(answer.text()).isEqualTo(422);
    assertThat(answer.text()).contains("too large");
    made(WIDGETS, widget("small", "{'size':2}"));
  }
}
