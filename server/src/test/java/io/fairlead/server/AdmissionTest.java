package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.TestServer.Answer;
import io.fairlead.server.admission.AdmissionChain;
import io.fairlead.server.admission.AdmissionPlugin;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// The admission chain as a client meets it, each test in a namespace of its own.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdmissionTest {
  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start();
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private String namespace(String name, String labels) {
    server.post(
        "/api/v1/namespaces", "{'metadata':{'name':'" + name + "','labels':{" + labels + "}}}");
    String path = "/api/v1/namespaces/" + name;
    server.post(path + "/serviceaccounts", "{'metadata':{'name':'default'}}");
    return path;
  }

  private Answer pod(String namespace, String name, String container, String more) {
    return server.post(
        namespace + "/pods",
        "{'metadata':{'name':'"
            + name
            + "'},'spec':{'containers':[{'name':'c','image':'i:1'"
            + container
            + "}]"
            + more
            + "}}");
  }

  @Test
  void theOrderIsTheOriginals() {
    assertThat(AdmissionChain.PLUGINS)
        .extracting(AdmissionPlugin::name)
        .isEqualTo(
            List.of(
                "LimitRanger",
                "ServiceAccount",
                "PodSecurity",
                "Priority",
                "DefaultTolerationSeconds",
                "DefaultStorageClass",
                "StorageObjectInUseProtection",
                "RuntimeClass"));
  }

  @Test
  void limitRangesSetDefaultsAndBounds() {
    String path = namespace("limits", "");
    server.post(
        path + "/limitranges",
        "{'metadata':{'name':'l'},'spec':{'limits':[{'type':'Container','min':{'cpu':'50m'},"
            + "'max':{'cpu':'500m'},'default':{'cpu':'300m'},'defaultRequest':{'cpu':'100m'}}]}}");
    Answer made = pod(path, "a", "", "");
    assertThat(made.code()).isEqualTo(201);
    assertThat(made.json().at("/spec/containers/0/resources/requests/cpu").asString(""))
        .isEqualTo("100m");
    assertThat(made.json().at("/spec/containers/0/resources/limits/cpu").asString(""))
        .isEqualTo("300m");
    assertThat(made.json().at("/metadata/annotations/kubernetes.io~1limit-ranger").asString(""))
        .isEqualTo(
            "LimitRanger plugin set: cpu request for container c; cpu limit for container c");
    Answer refused =
        pod(path, "b", ",'resources':{'requests':{'cpu':'10m'},'limits':{'cpu':'600m'}}", "");
    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.message())
        .isEqualTo(
            "pods \"b\" is forbidden: [minimum cpu usage per Container is 50m, but request is 10m,"
                + " maximum cpu usage per Container is 500m, but limit is 600m]");
  }

  @Test
  void quotasAreChargedWithTheObject() {
    String path = namespace("quota", "");
    server.post(
        path + "/resourcequotas",
        "{'metadata':{'name':'q'},'spec':{'hard':{'configmaps':'1','requests.cpu':'1'}}}");
    server
        .send("PUT", path + "/resourcequotas/q/status")
        .body(
            "{'metadata':{'name':'q'},'status':{'hard':{'configmaps':'1','requests.cpu':'1'},"
                + "'used':{'configmaps':'0','requests.cpu':'0'}}}")
        .now();
    String maps = path + "/configmaps";
    assertThat(server.post(maps + "?dryRun=All", "{'metadata':{'name':'m'}}").code())
        .isEqualTo(201);
    assertThat(server.post(maps, "{'metadata':{'name':'m'}}").code()).isEqualTo(201);
    assertThat(
            server
                .get(path + "/resourcequotas/q")
                .json()
                .at("/status/used/configmaps")
                .asString(""))
        .isEqualTo("1");
    Answer refused = server.post(maps, "{'metadata':{'name':'n'}}");
    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.message())
        .isEqualTo(
            "configmaps \"n\" is forbidden: exceeded quota: q, requested: configmaps=1, used:"
                + " configmaps=1, limited: configmaps=1");
    assertThat(pod(path, "p", "", "").message())
        .isEqualTo("pods \"p\" is forbidden: failed quota: q: must specify requests.cpu for: c");
  }

  @Test
  void podsGetThePriorityOfTheirClass() {
    String path = namespace("priority", "");
    server.post(
        "/apis/scheduling.k8s.io/v1/priorityclasses",
        "{'metadata':{'name':'high'},'value':77,'preemptionPolicy':'Never'}");
    Answer made = pod(path, "a", "", ",'priorityClassName':'high'");
    assertThat(made.json().at("/spec/priority").asInt(0)).isEqualTo(77);
    assertThat(made.json().at("/spec/preemptionPolicy").asString("")).isEqualTo("Never");
    assertThat(pod(path, "b", "", ",'priorityClassName':'none'").message())
        .isEqualTo("pods \"b\" is forbidden: no PriorityClass with name none was found");
    assertThat(
            server
                .get("/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical")
                .json()
                .path("value")
                .asInt(0))
        .isEqualTo(2_000_001_000);
  }

  @Test
  void namespacesHoldPodsToAStandard() {
    String path = namespace("secure", "'pod-security.kubernetes.io/enforce':'baseline'");
    assertThat(pod(path, "a", "", "").code()).isEqualTo(201);
    Answer refused = pod(path, "b", ",'securityContext':{'privileged':true}", "");
    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.message())
        .isEqualTo(
            "pods \"b\" is forbidden: violates PodSecurity \"baseline:latest\": privileged"
                + " (container \"c\" must not set securityContext.privileged=true)");
  }

  @Test
  void runtimeClassesAddWhatTheyCost() {
    String path = namespace("runtime", "");
    server.post(
        "/apis/node.k8s.io/v1/runtimeclasses",
        "{'metadata':{'name':'kata'},'handler':'kata','overhead':{'podFixed':{'cpu':'10m'}},"
            + "'scheduling':{'nodeSelector':{'kata':'yes'}}}");
    Answer made = pod(path, "a", "", ",'runtimeClassName':'kata'");
    assertThat(made.json().at("/spec/overhead/cpu").asString("")).isEqualTo("10m");
    assertThat(made.json().at("/spec/nodeSelector/kata").asString("")).isEqualTo("yes");
    assertThat(pod(path, "b", "", ",'runtimeClassName':'no'").message())
        .isEqualTo("pods \"b\" is forbidden: pod rejected: RuntimeClass \"no\" not found");
  }

  @Test
  void claimsGetTheDefaultClass() {
    String path = namespace("storage", "");
    server.post(
        "/apis/storage.k8s.io/v1/storageclasses",
        "{'metadata':{'name':'fast','annotations':"
            + "{'storageclass.kubernetes.io/is-default-class':'true'}},'provisioner':'x.com/p'}");
    assertThat(
            server
                .post(
                    path + "/persistentvolumeclaims",
                    "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}}}")
                .json()
                .at("/spec/storageClassName")
                .asString(""))
        .isEqualTo("fast");
  }

  @Test
  void claimsAndVolumesAreProtectedWhileInUse() {
    String path = namespace("protected", "");
    String spec = "'accessModes':['ReadWriteOnce']";
    Answer claim =
        server.post(
            path + "/persistentvolumeclaims",
            "{'metadata':{'name':'c','finalizers':['example.com/own']},'spec':{"
                + spec
                + ",'resources':{'requests':{'storage':'1Gi'}}}}");
    assertThat(claim.json().at("/metadata/finalizers").toString())
        .isEqualTo("[\"example.com/own\",\"kubernetes.io/pvc-protection\"]");
    Answer volume =
        server.post(
            "/api/v1/persistentvolumes",
            "{'metadata':{'name':'v'},'spec':{"
                + spec
                + ",'capacity':{'storage':'1Gi'},'hostPath':{'path':'/x'}}}");
    assertThat(volume.json().at("/metadata/finalizers").toString())
        .isEqualTo("[\"kubernetes.io/pv-protection\"]");
    server.send("DELETE", "/api/v1/persistentvolumes/v").now();
    assertThat(server.get("/api/v1/persistentvolumes/v").text()).contains("deletionTimestamp");
  }

  /// Without a CA here; with one it would be signed.
  @Test
  void requestsForCertificatesAreApproved() {
    String path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
    String request =
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUE9PQotLS0tLUVORCBD"
            + "RVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K";
    Answer made =
        server.post(
            path,
            "{'metadata':{'name':'r'},'spec':{'request':'"
                + request
                + "','signerName':'example.com/s','usages':['client auth'],'username':'root'}}");
    assertThat(made.at("spec", "username")).isNotEqualTo("root").isNotEmpty();
    Answer approved =
        server
            .send("PATCH", path + "/r/approval")
            .header("Content-Type", "application/merge-patch+json")
            .body(
                "{'metadata':{'annotations':{'a':'b'}},'status':{'conditions':"
                    + "[{'type':'Approved','status':'True','reason':'R'}]}}")
            .now();
    assertThat(approved.code()).isEqualTo(200);
    assertThat(approved.at("metadata", "annotations", "a")).isEqualTo("b");
    assertThat(approved.json().at("/status/conditions/0/type").asString("")).isEqualTo("Approved");
    Answer both =
        server
            .send("PATCH", path + "/r/approval")
            .header("Content-Type", "application/merge-patch+json")
            .body(
                "{'status':{'conditions':[{'type':'Approved','status':'True'},"
                    + "{'type':'Denied','status':'True'}]}}")
            .now();
    assertThat(both.code()).isEqualTo(422);
  }

  private Answer part(String pod, String part, String patch) {
    return server
        .send("PATCH", pod + "/" + part)
        .header("Content-Type", "application/strategic-merge-patch+json")
        .body(patch)
        .now();
  }

  /// `pods/ephemeralcontainers` is another way to run a container in a pod.
  @Test
  void whatIsAddedToAPodKeepsToItsNamespacesStandard() {
    String path = namespace("tight", "'pod-security.kubernetes.io/enforce':'baseline'");
    assertThat(pod(path, "a", "", "").code()).isEqualTo(201);
    Answer refused =
        part(
            path + "/pods/a",
            "ephemeralcontainers",
            "{'spec':{'ephemeralContainers':[{'name':'e','image':'i:1','securityContext':"
                + "{'privileged':true}}]}}");
    assertThat(refused.code()).as(refused.text()).isEqualTo(403);
    assertThat(refused.message()).contains("violates PodSecurity \"baseline:latest\": privileged");
    Answer fine =
        part(
            path + "/pods/a",
            "ephemeralcontainers",
            "{'spec':{'ephemeralContainers':[{'name':'e','image':'i:1'}]}}");
    assertThat(fine.code()).as(fine.text()).isEqualTo(200);
  }

  /// `pods/resize` is another way to take processors and memory.
  @Test
  void whatAPodGrowsByIsBoundedAndCharged() {
    String path = namespace("grown", "");
    server.post(
        path + "/limitranges",
        "{'metadata':{'name':'l'},'spec':{'limits':[{'type':'Container','max':{'cpu':'2'}}]}}");
    server.post(
        path + "/resourcequotas", "{'metadata':{'name':'q'},'spec':{'hard':{'limits.cpu':'1'}}}");
    server
        .send("PUT", path + "/resourcequotas/q/status")
        .body(
            "{'metadata':{'name':'q'},'spec':{'hard':{'limits.cpu':'1'}},'status':"
                + "{'hard':{'limits.cpu':'1'},'used':{'limits.cpu':'0'}}}")
        .now();
    String small = ",'resources':{'requests':{'cpu':'100m'},'limits':{'cpu':'500m'}}";
    Answer made = pod(path, "a", small, "");
    assertThat(made.code()).as(made.text()).isEqualTo(201);
    String grow =
        "{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':'100m'},"
            + "'limits':{'cpu':'%s'}}}]}}";
    Answer bounded = part(path + "/pods/a", "resize", grow.formatted("3"));
    assertThat(bounded.code()).as(bounded.text()).isEqualTo(403);
    assertThat(bounded.message()).contains("maximum cpu usage per Container is 2");
    Answer charged = part(path + "/pods/a", "resize", grow.formatted("1500m"));
    assertThat(charged.code()).as(charged.text()).isEqualTo(403);
    assertThat(charged.message()).contains("exceeded quota: q");
    assertThat(part(path + "/pods/a", "resize", grow.formatted("900m")).code()).isEqualTo(200);
    assertThat(server.get(path + "/resourcequotas/q").json().at("/status/used").toString())
        .contains("900m");
  }
}
