package io.fairlead.e2e.kubectl;

import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.e2e.ApiCaller;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/// Does by hand what was done by hand while the transcripts were recorded: a node that is only an
/// object, pods bound to it and reported as running. Everything else the controllers do.
final class TranscriptSetup {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments/my-nginx";

  private final ApiCaller api;
  private final Set<String> running = new TreeSet<>();
  private int addresses;

  TranscriptSetup(ApiCaller api) {
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

  /// What had happened by the time of that command.
  void before(String command) {
    if (command.startsWith("kubectl diff")) {
      // Managed fields are ordered by their time in whole seconds. Between the recorded write and
      // the recorded diff one had passed.
      long second = Instant.now().getEpochSecond();
      await().atMost(LONG).until(() -> Instant.now().getEpochSecond() > second);
    }
  }

  /// What happened in the cluster after that command.
  void after(String command) {
    switch (command) {
      case "kubectl apply -f mynginx.yaml", "kubectl scale deploy my-nginx --replicas=3" ->
          counted("updatedReplicas", wanted());
      case "kubectl rollout status deploy/my-nginx --timeout=1s" -> {
        run(wanted());
        published("my-nginx", wanted());
        counted("availableReplicas", wanted());
      }
      case "kubectl apply -f hostnames.yaml" -> published("hostnames", 0);
      case "kubectl apply -f service_nodeport.yaml" ->
          published("my-nginx-nodeport", running.size());
      default -> {
        // Nothing else moves by itself.
      }
    }
  }

  /// Waits for so many pods and lets those run that do not yet, in the order they are listed in.
  private void run(int count) {
    await().atMost(LONG).until(() -> pods().size() == count);
    for (String name : pods()) {
      if (running.add(name)) {
        run(name, "10.244.0." + (10 + addresses++));
      }
    }
  }

  private List<String> pods() {
    List<String> names = new ArrayList<>();
    for (JsonNode pod : api.get(PODS + "?labelSelector=run=my-nginx").path("items")) {
      names.add(Json.textOr(pod, "", "metadata", "name"));
    }
    names.sort(Comparator.naturalOrder());
    return names;
  }

  private void run(String pod, String ip) {
    api.create(
        PODS + "/" + pod + "/binding",
        "{'apiVersion':'v1','kind':'Binding','metadata':{'name':'"
            + pod
            + "'},'target':{'kind':'Node','name':'n1'}}");
    String now = "2026-01-01T00:00:00Z";
    api.merge(
        PODS + "/" + pod + "/status",
        """
        {'status':{'phase':'Running','startTime':'%2$s','hostIP':'192.0.2.7',
        'podIP':'%1$s','podIPs':[{'ip':'%1$s'}],
        'conditions':[{'type':'Ready','status':'True','lastTransitionTime':'%2$s'},
        {'type':'ContainersReady','status':'True'},{'type':'Initialized','status':'True'},
        {'type':'PodScheduled','status':'True'}],
        'containerStatuses':[{'name':'my-nginx','ready':true,'started':true,'restartCount':0,
        'image':'nginx:1.27','imageID':'nginx@sha256:0','containerID':'containerd://0',
        'state':{'running':{'startedAt':'%2$s'}}}]}}
        """
            .formatted(ip, now));
  }

  private int wanted() {
    return api.get(DEPLOYMENT).path("spec").path("replicas").asInt(0);
  }

  /// Waits until the controller of the Deployment tells that number.
  private void counted(String what, int replicas) {
    await()
        .atMost(LONG)
        .until(() -> api.get(DEPLOYMENT).path("status").path(what).asInt(0) == replicas);
  }

  /// Waits until the endpoint controllers have published so many addresses of a Service.
  private void published(String service, int count) {
    String slices =
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices"
            + "?labelSelector=kubernetes.io/service-name="
            + service;
    await()
        .atMost(LONG)
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
              return answer.statusCode() == 200 && listed == count && sliced == count;
            });
  }
}
