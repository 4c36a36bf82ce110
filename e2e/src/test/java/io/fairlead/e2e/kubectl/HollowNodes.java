package io.fairlead.e2e.kubectl;

import io.fairlead.api.json.Json;
import io.fairlead.e2e.ApiCaller;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/// Nodes without anything behind them: they show that they are alive, report every pod that is put
/// on them as running, and let go those that are deleted.
final class HollowNodes implements AutoCloseable {
  private static final String PODS = "/api/v1/namespaces/default/pods";

  private final ApiCaller api;
  private final List<String> names;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final Set<String> broken = ConcurrentHashMap.newKeySet();
  private int addresses = 1;

  HollowNodes(ApiCaller api, List<String> names) {
    this.api = api;
    this.names = names;
    for (String name : names) {
      api.create(
          "/api/v1/nodes",
          "{'metadata':{'name':'%1$s','labels':{'kubernetes.io/hostname':'%1$s'}}}"
              .formatted(name));
      api.merge(
          "/api/v1/nodes/" + name + "/status",
          """
          {'status':{'capacity':{'cpu':'4','memory':'8Gi','pods':'20'},
          'allocatable':{'cpu':'4','memory':'8Gi','pods':'20'},
          'conditions':[{'type':'Ready','status':'True','reason':'KubeletReady'}]}}
          """);
      api.create(
          "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases",
          "{'metadata':{'name':'%1$s'},'spec':{'holderIdentity':'%1$s'}}".formatted(name));
    }
    thread.scheduleWithFixedDelay(this::beat, 0, 5, TimeUnit.SECONDS);
    thread.scheduleWithFixedDelay(this::work, 0, 100, TimeUnit.MILLISECONDS);
  }

  /// Pods with that image never become ready.
  void breaks(String image) {
    broken.add(image);
  }

  private void beat() {
    String now = Instant.now().truncatedTo(ChronoUnit.MICROS).plusNanos(1000).toString();
    for (String name : names) {
      api.merge(
          "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/" + name,
          "{'spec':{'renewTime':'" + now + "'}}");
    }
  }

  private void work() {
    for (JsonNode pod : api.get(PODS).path("items")) {
      String name = Json.textOr(pod, "", "metadata", "name");
      if (Json.textOr(pod, "", "spec", "nodeName").isEmpty()) {
        continue;
      }
      if (pod.path("metadata").has("deletionTimestamp")) {
        api.send(
            "DELETE",
            PODS + "/" + name,
            "application/json",
            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0}");
      } else if (!Json.textOr(pod, "", "status", "phase").equals("Running")) {
        report(pod, name);
      }
    }
  }

  private void report(JsonNode pod, String name) {
    String image = pod.at("/spec/containers/0/image").asString("");
    String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    api.send(
        "PATCH",
        PODS + "/" + name + "/status",
        "application/merge-patch+json",
        """
        {'status':{'phase':'Running','podIP':'10.244.1.%1$d','podIPs':[{'ip':'10.244.1.%1$d'}],
        'conditions':[{'type':'Ready','status':'%2$s','lastTransitionTime':'%3$s'},
        {'type':'PodScheduled','status':'True','lastTransitionTime':'%3$s'}]}}
        """
            .replace('\'', '"')
            .formatted(addresses++, broken.contains(image) ? "False" : "True", now));
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      boolean _ = thread.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
