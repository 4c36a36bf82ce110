package io.fairlead.e2e.kubectl;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.e2e.ApiCaller;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Does by hand what the workload controllers, the scheduler and a node did while the transcripts
/// were recorded, so that kubectl meets the same objects.
final class StandIn {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String REPLICA_SETS = "/apis/apps/v1/namespaces/default/replicasets";
  private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/my-nginx";
  private static final String HASH = "5c9b8d7f6";

  private final ApiCaller api;
  private int pods;
  private int available;

  StandIn(ApiCaller api) {
    this.api = api;
  }

  /// The state before the first command.
  void begin() {
    for (String namespace : new String[] {"study-k8s", "week"}) {
      api.create("/api/v1/namespaces", "{'metadata':{'name':'" + namespace + "'}}");
    }
    api.create("/api/v1/nodes", "{'metadata':{'name':'n1'}}");
    api.merge(
        "/api/v1/nodes/n1/status",
        """
        {'status':{'addresses':[{'type':'InternalIP','address':'192.0.2.7'}],
        'conditions':[{'type':'Ready','status':'True'}],
        'nodeInfo':{'kubeletVersion':'v1.36.0','osImage':'Linux','kernelVersion':'6.1',
        'architecture':'amd64','containerRuntimeVersion':'containerd://2','operatingSystem':'linux',
        'machineID':'','systemUUID':'','bootID':'','kubeProxyVersion':''}}}
        """);
  }

  /// What controllers have caught up with by the time of that command.
  void before(String command) {
    if (command.startsWith("kubectl diff")) {
      nextSecond();
    }
    boolean looks = command.startsWith("kubectl rollout status") || command.contains(" wait ");
    if (looks && command.contains("my-nginx") && pods > 0) {
      deploymentStatus(pods, available);
    }
  }

  /// Managed fields are ordered by their time in whole seconds. Between the recorded write and the
  /// recorded diff one had passed.
  private static void nextSecond() {
    long second = Instant.now().getEpochSecond();
    await().atMost(Duration.ofSeconds(60)).until(() -> Instant.now().getEpochSecond() > second);
  }

  /// What happened in the cluster after that command.
  void after(String command) {
    switch (command) {
      case "kubectl apply -f mynginx.yaml" -> firstRollout();
      case "kubectl rollout status deploy/my-nginx --timeout=1s" -> allAvailable();
      case "kubectl scale deploy my-nginx --replicas=3" -> grow();
      case "kubectl apply -f hostnames.yaml" -> published("hostnames", 0);
      case "kubectl apply -f service_nodeport.yaml" -> published("my-nginx-nodeport", pods);
      default -> {
        // Nothing else moves by itself.
      }
    }
  }

  private void firstRollout() {
    if (pods > 0) {
      return;
    }
    api.merge(DEPLOYMENT, "{'metadata':{'annotations':{'deployment.kubernetes.io/revision':'1'}}}");
    String uid = Json.textOr(api.get(DEPLOYMENT), "", "metadata", "uid");
    ObjectNode replicaSet = Json.object();
    replicaSet
        .putObject("metadata")
        .put("name", "my-nginx-" + HASH)
        .putObject("annotations")
        .put("deployment.kubernetes.io/revision", "1");
    labels((ObjectNode) replicaSet.path("metadata"));
    owner((ObjectNode) replicaSet.path("metadata"), "apps/v1", "Deployment", "my-nginx", uid);
    ObjectNode spec = replicaSet.putObject("spec").put("replicas", 2);
    labels(spec.putObject("selector"), "matchLabels");
    labels(spec.putObject("template").putObject("metadata"));
    container(((ObjectNode) spec.path("template")).putObject("spec"));
    String replicaSetUid =
        Json.textOr(api.create(REPLICA_SETS, replicaSet.toString()), "", "metadata", "uid");
    addPod(replicaSetUid);
    addPod(replicaSetUid);
    deploymentStatus(2, 0);
    published("my-nginx", 2);
  }

  private void grow() {
    String uid = Json.textOr(api.get(REPLICA_SETS + "/my-nginx-" + HASH), "", "metadata", "uid");
    addPod(uid);
    api.merge(REPLICA_SETS + "/my-nginx-" + HASH, "{'spec':{'replicas':3}}");
    deploymentStatus(3, 2);
  }

  private void allAvailable() {
    deploymentStatus(pods, pods);
    api.merge(
        REPLICA_SETS + "/my-nginx-" + HASH + "/status",
        "{'status':{'replicas':%d,'readyReplicas':%d,'availableReplicas':%d}}"
            .formatted(pods, pods, pods));
  }

  private void deploymentStatus(int replicas, int ready) {
    available = ready;
    long generation = api.get(DEPLOYMENT).path("metadata").path("generation").asLong();
    api.merge(
        DEPLOYMENT + "/status",
        """
        {'status':{'observedGeneration':%d,'replicas':%d,'updatedReplicas':%d,'readyReplicas':%d,
        'availableReplicas':%d,'unavailableReplicas':%d,'conditions':[
        {'type':'Available','status':'%s','reason':'MinimumReplicas','message':'-'}]}}
        """
            .formatted(
                generation,
                replicas,
                replicas,
                ready,
                ready,
                replicas - ready,
                ready == replicas ? "True" : "False"));
  }

  private void addPod(String replicaSetUid) {
    ObjectNode pod = Json.object();
    // Listed in the order in which they get their addresses.
    pod.putObject("metadata").put("name", "my-nginx-" + HASH + "-bcdf" + (pods + 2));
    labels((ObjectNode) pod.path("metadata"));
    owner(
        (ObjectNode) pod.path("metadata"),
        "apps/v1",
        "ReplicaSet",
        "my-nginx-" + HASH,
        replicaSetUid);
    container(pod.putObject("spec"));
    String name = Json.textOr(api.create(PODS, pod.toString()), "", "metadata", "name");
    api.create(
        PODS + "/" + name + "/binding",
        "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'"
            + name
            + "'},'target':{'kind':'Node','name':'n1'}}");
    String ip = "10.244.0." + (10 + pods++);
    api.merge(
        PODS + "/" + name + "/status",
        """
        {'status':{'phase':'Running','podIP':'%s','podIPs':[{'ip':'%s'}],'conditions':[
        {'type':'Ready','status':'True','lastTransitionTime':'2026-01-01T00:00:00Z'}],
        'containerStatuses':[{'name':'my-nginx','ready':true,
        'restartCount':0,'image':'nginx:1.27','imageID':'','state':{'running':{}}}]}}
        """
            .formatted(ip, ip));
  }

  /// Waits until the endpoint controllers have published so many addresses of a Service.
  private void published(String service, int addresses) {
    String slices =
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
            + "?labelSelector=kubernetes.io/service-name="
            + service;
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              HttpResponse<byte[]> answer =
                  api.send(
                      "GET",
                      "/api/v1/namespaces/default/endpoints/" + service,
                      "application/json",
                      "");
              JsonNode subsets = Json.parse(answer.body()).path("subsets");
              int listed = subsets.path(0).path("addresses").size();
              int sliced = api.get(slices).path("items").path(0).path("endpoints").size();
              return answer.statusCode() == 200 && listed == addresses && sliced == addresses;
            });
  }

  private static void labels(ObjectNode metadata) {
    labels(metadata, "labels");
  }

  private static void labels(ObjectNode parent, String key) {
    ObjectNode labels = parent.putObject(key);
    Map.of("run", "my-nginx", "pod-template-hash", HASH).forEach(labels::put);
  }

  private static void container(ObjectNode spec) {
    spec.putArray("containers")
        .addObject()
        .put("name", "my-nginx")
        .put("image", "nginx:1.27")
        .putArray("ports")
        .addObject()
        .put("containerPort", 80);
  }

  private static void owner(
      ObjectNode metadata, String apiVersion, String kind, String name, String uid) {
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", apiVersion)
        .put("kind", kind)
        .put("name", name)
        .put("uid", uid)
        .put("controller", true);
  }
}
