package io.fairlead.e2e.originals;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.e2e.ApiCaller;
import io.fairlead.e2e.TestServer;
import io.fairlead.http.tls.PemWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// One etcd, served by a kube-apiserver, then by ours, then by a kube-apiserver again: everybody
/// sees the same objects, and tokens of the first are believed by the second.
@Tag("system")
@Tag("slow")
class ReplacedApiServerTest {
  private static final String DEFAULT = "/api/v1/namespaces/default/";

  /// An object of many kinds, by the collection it is made in.
  private static final Map<String, String> OBJECTS = new LinkedHashMap<>();

  static {
    put(
        DEFAULT + "configmaps",
        "{'metadata':{'name':'c'},'data':{'k':'v'},'binaryData':{'b':'AAE='}}");
    put(DEFAULT + "secrets", "{'metadata':{'name':'s'},'stringData':{'k':'v'}}");
    put(DEFAULT + "serviceaccounts", "{'metadata':{'name':'bot'}}");
    put(
        DEFAULT + "services",
        "{'metadata':{'name':'web','labels':{'a':'b'}},'spec':{'type':'NodePort','selector':{'a':'b'},"
            + "'ports':[{'name':'http','port':80,'targetPort':'http'},"
            + "{'name':'dns','port':53,'protocol':'UDP','targetPort':5353}],"
            + "'sessionAffinity':'ClientIP'}}");
    put(
        DEFAULT + "pods",
        "{'metadata':{'name':'p','annotations':{'x':'y'}},'spec':{'automountServiceAccountToken':false,"
            + "'tolerations':[{'key':'k','operator':'Exists','effect':'NoExecute','tolerationSeconds':30}],"
            + "'containers':[{'name':'c','image':'i',"
            + "'ports':[{'containerPort':80}],'resources':{'limits':{'cpu':'500m','memory':'1Gi'}},"
            + "'env':[{'name':'A','valueFrom':{'fieldRef':{'fieldPath':'metadata.name'}}}],"
            + "'readinessProbe':{'httpGet':{'path':'/','port':80},'periodSeconds':3},"
            + "'securityContext':{'privileged':false,'runAsUser':0,'capabilities':{'add':['A']}}}],"
            + "'volumes':[{'name':'v','configMap':{'name':'c','defaultMode':256}}]}}");
    put(
        DEFAULT + "events",
        "{'metadata':{'name':'e'},'reason':'R','message':'m','type':'Normal',"
            + "'involvedObject':{'kind':'Pod','name':'p','namespace':'default'},"
            + "'source':{'component':'test'},'count':2,'firstTimestamp':'2026-01-02T03:04:05Z'}");
    put("/api/v1/namespaces", "{'metadata':{'name':'other','labels':{'team':'x'}}}");
    put(
        "/api/v1/nodes",
        "{'metadata':{'name':'n'},'spec':{'podCIDR':'10.244.1.0/24','podCIDRs':['10.244.1.0/24']}}");
    put(
        "/apis/apps/v1/namespaces/default/deployments",
        "{'metadata':{'name':'d'},'spec':{'replicas':0,'selector':{'matchLabels':{'a':'b'}},"
            + "'strategy':{'rollingUpdate':{'maxSurge':1,'maxUnavailable':'50%'}},"
            + "'template':{'metadata':{'labels':{'a':'b'}},"
            + "'spec':{'containers':[{'name':'c','image':'i:1'}]}}}}");
    put(
        "/apis/apps/v1/namespaces/default/statefulsets",
        "{'metadata':{'name':'s'},'spec':{'serviceName':'web','selector':{'matchLabels':{'a':'b'}},"
            + "'template':{'metadata':{'labels':{'a':'b'}},"
            + "'spec':{'containers':[{'name':'c','image':'i:1'}]}}}}");
    put(
        "/apis/batch/v1/namespaces/default/jobs",
        "{'metadata':{'name':'j','labels':{'a':'b'}},'spec':{'suspend':true,'template':{'spec':{'restartPolicy':'Never',"
            + "'containers':[{'name':'c','image':'i:1'}]}}}}");
    put(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        "{'metadata':{'name':'es','labels':{'kubernetes.io/service-name':'web'}},'addressType':'IPv4',"
            + "'ports':[{'name':'http','port':8080}],"
            + "'endpoints':[{'addresses':['10.1.2.3'],'conditions':{'ready':false},'nodeName':'n',"
            + "'zone':'z','hints':{'forZones':[{'name':'z'}]}}]}");
    put(
        "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies",
        "{'metadata':{'name':'np'},'spec':{'podSelector':{},'ingress':[{'from':[{'ipBlock':"
            + "{'cidr':'10.0.0.0/8','except':['10.1.0.0/16']}}],'ports':[{'port':80,'endPort':90}]}]}}");
    put(
        "/apis/networking.k8s.io/v1/namespaces/default/ingresses",
        "{'metadata':{'name':'i'},'spec':{'rules':[{'host':'a.example','http':{'paths':[{'path':'/',"
            + "'pathType':'Prefix','backend':{'service':{'name':'web','port':{'number':80}}}}]}}]}}");
    put(
        "/apis/rbac.authorization.k8s.io/v1/clusterroles",
        "{'metadata':{'name':'reader'},'rules':[{'apiGroups':[''],'resources':['pods'],'verbs':['get']},"
            + "{'nonResourceURLs':['/x/*'],'verbs':['get']}]}");
    put(
        "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
        "{'metadata':{'name':'rb'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
            + "'kind':'ClusterRole','name':'reader'},"
            + "'subjects':[{'kind':'ServiceAccount','name':'bot','namespace':'default'}]}");
    put(
        "/apis/coordination.k8s.io/v1/namespaces/default/leases",
        "{'metadata':{'name':'l'},'spec':{'holderIdentity':'h','leaseDurationSeconds':15,"
            + "'renewTime':'2026-01-02T03:04:05.678901Z'}}");
    put(
        "/apis/policy/v1/namespaces/default/poddisruptionbudgets",
        "{'metadata':{'name':'pdb'},'spec':{'maxUnavailable':'20%','selector':{'matchLabels':{'a':'b'}}}}");
  }

  private static void put(String collection, String json) {
    OBJECTS.put(collection, json);
  }

  @Test
  void oneTakesOverFromTheOtherInBothDirections(@TempDir Path directory) throws Exception {
    Path key = tokenKey(directory);
    try (OriginalPrograms programs = new OriginalPrograms(directory)) {
      String etcd = programs.startEtcd();
      ApiCaller original =
          caller(
              programs.startApiServer(
                  "first", etcd, key, List.of("--disable-admission-plugins=ServiceAccount")));
      Map<String, JsonNode> made = new LinkedHashMap<>();
      OBJECTS.forEach(
          (collection, json) -> {
            String name =
                original.create(collection, json).path("metadata").path("name").asString();
            made.put(collection + "/" + name, original.get(collection + "/" + name));
          });
      String token = token(original);
      OriginalPrograms.stop(programs.newest());

      Map<String, JsonNode> written = new LinkedHashMap<>();
      try (TestServer ours = TestServer.onEtcd(directory, etcd, key)) {
        ApiCaller caller = ours.caller();
        made.forEach(
            (path, before) ->
                assertThat(withoutNulls(caller.get(path)))
                    .as(path)
                    .isEqualTo(withoutNulls(before)));
        assertThat(names(caller.get("/api/v1/namespaces"))).contains("default", "other");
        assertThat(new ApiCaller(TestServer.http(), ours.url(), token).get(DEFAULT + "pods/p"))
            .as("what a token of the original may see")
            .isEqualTo(caller.get(DEFAULT + "pods/p"));
        // What is there is changed, what is new takes its place beside it.
        caller.merge(DEFAULT + "configmaps/c", "{'data':{'k':'w'}}");
        caller.merge(DEFAULT + "services/web", "{'metadata':{'labels':{'new':'label'}}}");
        caller.create(
            DEFAULT + "services", "{'metadata':{'name':'more'},'spec':{'ports':[{'port':80}]}}");
        caller.create(
            "/api/v1/namespaces/other/configmaps", "{'metadata':{'name':'new'},'data':{'a':'b'}}");
        made.keySet().forEach(path -> written.put(path, caller.get(path)));
        for (String path :
            List.of(DEFAULT + "services/more", "/api/v1/namespaces/other/configmaps/new")) {
          written.put(path, caller.get(path));
        }
        assertThat(address(caller.get(DEFAULT + "services/more")))
            .isNotEqualTo(address(caller.get(DEFAULT + "services/web")));
      }

      ApiCaller again = caller(programs.startApiServer("again", etcd, key, List.of()));
      written.forEach(
          (path, before) ->
              assertThat(withoutNulls(again.get(path))).as(path).isEqualTo(withoutNulls(before)));
      again.merge(DEFAULT + "configmaps/c", "{'data':{'k':'x'}}");
      assertThat(again.get(DEFAULT + "configmaps/c").path("data").path("k").asString())
          .isEqualTo("x");
      assertThat(programs.log("again")).doesNotContain("unable to decode", "failed to decode");
    }
  }

  /// The original writes `null` for times and lists that are not there, ours leaves them out.
  private static JsonNode withoutNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.properties().removeIf(member -> member.getValue().isNull());
      object.forEach(ReplacedApiServerTest::withoutNulls);
    } else if (node.isArray()) {
      node.forEach(ReplacedApiServerTest::withoutNulls);
    }
    return node;
  }

  private static Path tokenKey(Path directory) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    return Files.writeString(
        directory.resolve("sa.key"),
        PemWriter.privateKey(generator.generateKeyPair().getPrivate()));
  }

  private static ApiCaller caller(URI url) {
    return new ApiCaller(TestServer.http(), url, OriginalPrograms.TOKEN);
  }

  private static String token(ApiCaller caller) throws IOException {
    var answer =
        caller.send(
            "POST",
            DEFAULT + "serviceaccounts/bot/token",
            "application/json",
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}");
    assertThat(answer.statusCode()).as(new String(answer.body(), UTF_8)).isEqualTo(201);
    return Json.parse(answer.body()).path("status").path("token").asString();
  }

  private static List<String> names(JsonNode list) {
    return list.path("items")
        .valueStream()
        .map(item -> item.path("metadata").path("name").asString())
        .toList();
  }

  private static String address(JsonNode service) {
    return service.path("spec").path("clusterIP").asString();
  }
}
