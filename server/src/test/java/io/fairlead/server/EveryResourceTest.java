package io.fairlead.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.server.TestServer.Answer;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resources.BuiltInResources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/// Every resource × verb that the server lists is used once, and every path of the wrong scope is
/// refused before anyone is asked for permission (CVE-2019-11247).
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryResourceTest {
  private static final String CONTAINERS = "'containers':[{'name':'c','image':'i:1'}]";
  private static final String TEMPLATE =
      "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':{"
          + CONTAINERS
          + "}}";
  private static final String JOB =
      "'template':{'spec':{'restartPolicy':'Never'," + CONTAINERS + "}}";
  private static final String ROLE_REF =
      "'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'view'}";
  private static final String VOLUME = "'accessModes':['ReadWriteOnce'],%s:{%s'storage':'1Gi'%s}";

  /// What a valid object of each kind has beside its metadata.
  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("configmaps", "'data':{'k':'v'}"),
          Map.entry("endpoints", "'subsets':[{'addresses':[{'ip':'10.1.2.3'}]}]"),
          Map.entry("events", "'involvedObject':{'namespace':'default'},'reason':'R'"),
          Map.entry(
              "events.events.k8s.io",
              "'eventTime':'2024-01-01T00:00:00.000000Z','reportingController':'c/c',"
                  + "'reportingInstance':'i','action':'A','reason':'R','type':'Normal',"
                  + "'regarding':{'namespace':'default'}"),
          Map.entry("limitranges", "'spec':{'limits':[{'type':'Pod','max':{'cpu':'1'}}]}"),
          Map.entry("namespaces", "'spec':{}"),
          Map.entry("nodes", "'spec':{}"),
          Map.entry(
              "persistentvolumeclaims",
              "'spec':{" + VOLUME.formatted("'resources'", "'requests':{", "}") + "}"),
          Map.entry(
              "persistentvolumes",
              "'spec':{" + VOLUME.formatted("'capacity'", "", "") + ",'hostPath':{'path':'/x'}}"),
          Map.entry("pods", "'spec':{" + CONTAINERS + "}"),
          Map.entry("resourcequotas", "'spec':{}"),
          Map.entry("secrets", "'data':{'k':'dg=='}"),
          Map.entry("serviceaccounts", "'automountServiceAccountToken':false"),
          Map.entry("services", "'spec':{'ports':[{'port':80}]}"),
          Map.entry("controllerrevisions.apps", "'revision':1,'data':{'a':1}"),
          Map.entry("daemonsets.apps", "'spec':{" + TEMPLATE + "}"),
          Map.entry("deployments.apps", "'spec':{" + TEMPLATE + "}"),
          Map.entry("replicasets.apps", "'spec':{" + TEMPLATE + "}"),
          Map.entry("statefulsets.apps", "'spec':{'serviceName':'s'," + TEMPLATE + "}"),
          Map.entry(
              "horizontalpodautoscalers.autoscaling",
              "'spec':{'maxReplicas':2,'scaleTargetRef':{'kind':'Deployment','name':'d',"
                  + "'apiVersion':'apps/v1'}}"),
          Map.entry(
              "cronjobs.batch",
              "'spec':{'schedule':'* * * * *','jobTemplate':{'spec':{" + JOB + "}}}"),
          Map.entry("jobs.batch", "'spec':{" + JOB + "}"),
          Map.entry("ingressclasses.networking.k8s.io", "'spec':{'controller':'example.com/c'}"),
          Map.entry(
              "ingresses.networking.k8s.io",
              "'spec':{'defaultBackend':{'service':{'name':'s','port':{'number':80}}}}"),
          Map.entry(
              "ipaddresses.networking.k8s.io",
              "'spec':{'parentRef':{'resource':'services','namespace':'default','name':'s'}}"),
          Map.entry("networkpolicies.networking.k8s.io", "'spec':{'podSelector':{}}"),
          Map.entry("servicecidrs.networking.k8s.io", "'spec':{'cidrs':['10.77.0.0/24']}"),
          Map.entry(
              "poddisruptionbudgets.policy",
              "'spec':{'minAvailable':1,'selector':{'matchLabels':{'a':'b'}}}"),
          Map.entry("clusterrolebindings.rbac.authorization.k8s.io", ROLE_REF),
          Map.entry("clusterroles.rbac.authorization.k8s.io", "'rules':[]"),
          Map.entry("rolebindings.rbac.authorization.k8s.io", ROLE_REF),
          Map.entry("roles.rbac.authorization.k8s.io", "'rules':[]"),
          Map.entry("podtemplates", "'template':{'spec':{" + CONTAINERS + "}}"),
          Map.entry(
              "replicationcontrollers",
              "'spec':{'selector':{'a':'b'},'template':{'metadata':{'labels':{'a':'b'}},'spec':{"
                  + CONTAINERS
                  + "}}}"),
          Map.entry(
              "certificatesigningrequests.certificates.k8s.io",
              "'spec':{'request':'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUE9PQotLS0tLUVORCBD"
                  + "RVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K','signerName':'example.com/s',"
                  + "'usages':['client auth']}"),
          Map.entry("csidrivers.storage.k8s.io", "'spec':{}"),
          Map.entry("csinodes.storage.k8s.io", "'spec':{'drivers':[{'name':'d','nodeID':'n'}]}"),
          Map.entry("csistoragecapacities.storage.k8s.io", "'storageClassName':'c'"),
          Map.entry("storageclasses.storage.k8s.io", "'provisioner':'example.com/p'"),
          Map.entry(
              "volumeattachments.storage.k8s.io",
              "'spec':{'attacher':'a','nodeName':'n','source':{'persistentVolumeName':'v'}}"),
          Map.entry(
              "volumeattributesclasses.storage.k8s.io", "'driverName':'d','parameters':{'a':'b'}"),
          Map.entry(
              "validatingadmissionpolicies.admissionregistration.k8s.io",
              "'spec':{'matchConstraints':{'resourceRules':[{'operations':['*'],'apiGroups':['x'],"
                  + "'apiVersions':['v1'],'resources':['x']}]},'validations':"
                  + "[{'expression':'true'}]}"),
          Map.entry(
              "validatingadmissionpolicybindings.admissionregistration.k8s.io",
              "'spec':{'policyName':'p','validationActions':['Audit']}"),
          Map.entry(
              "mutatingadmissionpolicies.admissionregistration.k8s.io",
              "'spec':{'matchConstraints':{'resourceRules':[{'operations':['CREATE'],"
                  + "'apiGroups':['x'],'apiVersions':['v1'],'resources':['x']}]},"
                  + "'reinvocationPolicy':'Never','mutations':[{'patchType':'JSONPatch',"
                  + "'jsonPatch':{'expression':'[JSONPatch{op: \\u0027test\\u0027}]'}}]}"),
          Map.entry(
              "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
              "'spec':{'policyName':'p'}"),
          Map.entry(
              "apiservices.apiregistration.k8s.io",
              "'spec':{'group':'remote.example.com','version':'v1','groupPriorityMinimum':1,"
                  + "'versionPriority':1}"),
          Map.entry("mutatingwebhookconfigurations.admissionregistration.k8s.io", "'webhooks':[]"),
          Map.entry(
              "validatingwebhookconfigurations.admissionregistration.k8s.io", "'webhooks':[]"),
          Map.entry(
              "customresourcedefinitions.apiextensions.k8s.io",
              "'spec':{'group':'example.com','scope':'Cluster','names':{'plural':'everies',"
                  + "'kind':'Every'},'versions':[{'name':'v1','served':true,'storage':true,"
                  + "'schema':{'openAPIV3Schema':{'type':'object'}}}]}"),
          Map.entry("priorityclasses.scheduling.k8s.io", "'value':7"),
          Map.entry("runtimeclasses.node.k8s.io", "'handler':'runc'"),
          Map.entry(
              "flowschemas.flowcontrol.apiserver.k8s.io",
              "'spec':{'priorityLevelConfiguration':{'name':'l'}}"),
          Map.entry(
              "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
              "'spec':{'type':'Limited','limited':{'limitResponse':{'type':'Reject'}}}"),
          Map.entry("deviceclasses.resource.k8s.io", "'spec':{}"),
          Map.entry("resourceclaims.resource.k8s.io", "'spec':{}"),
          Map.entry("resourceclaimtemplates.resource.k8s.io", "'spec':{'spec':{}}"),
          Map.entry(
              "resourceslices.resource.k8s.io",
              "'spec':{'driver':'d','nodeName':'n','pool':{'name':'p','generation':1,"
                  + "'resourceSliceCount':1}}"),
          Map.entry("leases.coordination.k8s.io", "'spec':{}"),
          Map.entry("endpointslices.discovery.k8s.io", "'addressType':'IPv4','endpoints':[]"));

  private TestServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServer.start();
    server.post("/api/v1/namespaces/default/serviceaccounts", "{'metadata':{'name':'default'}}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> verbs() {
    return BuiltInResources.all().stream()
        .filter(resource -> !resource.descriptor().storagePrefix().isEmpty())
        .map(
            resource ->
                DynamicTest.dynamicTest(
                    resource.descriptor().apiVersion() + " " + resource.descriptor().plural(),
                    () -> useAll(resource)));
  }

  @TestFactory
  Stream<DynamicTest> wrongScopes() {
    return BuiltInResources.all().stream()
        .map(Resource::descriptor)
        .flatMap(
            descriptor ->
                wrongPaths(descriptor).stream()
                    .flatMap(
                        path ->
                            Stream.of("GET", "PUT", "PATCH", "DELETE")
                                .map(
                                    method ->
                                        DynamicTest.dynamicTest(
                                            method + " " + path, () -> refused(method, path)))));
  }

  private void useAll(Resource resource) {
    ResourceDescriptor descriptor = resource.descriptor();
    String key =
        descriptor.plural() + (descriptor.group().isEmpty() ? "" : "." + descriptor.group());
    String body = BODIES.get(key);
    assertThat(body).as("a body for " + key).isNotNull();
    String name = name(descriptor);
    String collection = collection(descriptor, descriptor.namespaced());
    String object = "{'metadata':{'name':'" + name + "','labels':{'every':'one'}}," + body + "}";
    List<String> done = new ArrayList<>();

    Answer created = server.post(collection, object);
    assertThat(created.code()).as(created.text()).isEqualTo(201);
    done.add("create");
    String item = collection + "/" + name;
    Answer read = server.get(item);
    assertThat(read.code()).isEqualTo(200);
    done.add("get");
    assertThat(server.get(collection + "?labelSelector=every").json().path("items").size())
        .isEqualTo(1);
    done.add("list");
    if (key.startsWith("customresourcedefinitions")) {
      // The server completes its status a moment later.
      await().until(() -> server.get(item).text().contains("\"Established\""));
    }
    if (key.startsWith("flowschemas")) {
      await().until(() -> server.get(item).text().contains("\"Dangling\""));
    }
    if (resource.hasProtobuf()) {
      ProtobufAnswersTest.compare(server, descriptor, collection, name);
    }
    Answer watched = server.get(collection + "?watch=1&timeoutSeconds=1&labelSelector=every");
    assertThat(watched.text()).startsWith("{\"type\":\"ADDED\"");
    done.add("watch");
    Answer put = server.send("PUT", item).body(server.get(item).response().body()).now();
    assertThat(put.code()).as(put.text()).isEqualTo(200);
    done.add("update");
    Answer patched =
        server
            .send("PATCH", item)
            .header("Content-Type", "application/merge-patch+json")
            .body("{'metadata':{'labels':{'more':'x'}}}")
            .now();
    assertThat(patched.code()).as(patched.text()).isEqualTo(200);
    done.add("patch");
    if (descriptor.verbs().contains("deletecollection")) {
      Answer swept = server.send("DELETE", collection + "?labelSelector=every").now();
      assertThat(swept.code()).as(swept.text()).isEqualTo(200);
      done.add("deletecollection");
    }
    assertThat(server.send("DELETE", item).now().code()).isIn(200, 404);
    done.add("delete");
    assertThat(done).containsExactlyInAnyOrderElementsOf(descriptor.verbs());
  }

  private static String name(ResourceDescriptor descriptor) {
    return switch (descriptor.plural()) {
      case "ipaddresses" -> "10.96.7.7";
      case "customresourcedefinitions" -> "everies.example.com";
      case "apiservices" -> "v1.remote.example.com";
      default -> "every-one";
    };
  }

  private void refused(String method, String path) {
    Answer answer =
        server.send(method, path).header("Authorization", "Bearer nobody").body("{}").now();
    assertThat(answer.code()).isEqualTo(404);
  }

  private static List<String> wrongPaths(ResourceDescriptor descriptor) {
    String other = collection(descriptor, !descriptor.namespaced());
    return descriptor.namespaced() ? List.of(other + "/x") : List.of(other, other + "/x");
  }

  private static String collection(ResourceDescriptor descriptor, boolean namespaced) {
    String root =
        descriptor.group().isEmpty()
            ? "/api/" + descriptor.version()
            : "/apis/" + descriptor.apiVersion();
    return root + (namespaced ? "/namespaces/default/" : "/") + descriptor.plural();
  }
}
