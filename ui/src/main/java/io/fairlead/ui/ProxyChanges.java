package io.fairlead.ui;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ApiRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Changes of the proxies, made as a user makes them with kubectl: the mode stands in the ConfigMap
/// `kube-system/kube-proxy`, and a proxy whose pod is deleted goes on as that says, after it has
/// read the kernel back and repaired it. So the API server judges and records each step.
///
/// @param query of every request: who writes, and whether nothing is to be kept
record ProxyChanges(Client client, Map<String, String> query) {
  private static final String NAMESPACE = "kube-system";
  private static final String CONFIGURATION =
      ResourceType.CONFIG_MAPS.path(NAMESPACE) + "/kube-proxy";
  private static final String DRY_RUN = "dryRun";
  private static final String FILE = "config.conf";
  private static final Set<String> MODES = Set.of("iptables", "ipvs", "nftables", "userspace");

  /// Has all proxies go on in another mode.
  ObjectNode mode(String wanted) {
    if (!MODES.contains(wanted)) {
      throw ApiException.badRequest("not a mode: " + wanted);
    }
    ObjectNode map = client.raw(ApiRequest.get(CONFIGURATION, Map.of())).object();
    if (!(Yaml.parse(Json.textOr(map, "", "data", FILE)) instanceof ObjectNode tree)) {
      throw new ApiException(
          Status.of(422, "Invalid", "the ConfigMap kube-proxy has no configuration"));
    }
    String was = Json.textOr(tree, "", "mode");
    List<String> pods = pods("");
    // Whether they may be deleted is known before anything is written.
    pods.forEach(pod -> delete(pod, Map.of(DRY_RUN, "All")));
    ObjectNode patch = Json.object();
    // An edit by others meanwhile is not overwritten.
    patch
        .putObject("metadata")
        .put("resourceVersion", Json.textOr(map, "", "metadata", "resourceVersion"));
    patch.putObject("data").put(FILE, Yaml.write(tree.put("mode", wanted)));
    client.raw(
        ApiRequest.with("PATCH", CONFIGURATION, query, patch).ofType(PatchType.MERGE.mediaType()));
    pods.forEach(pod -> delete(pod, query));
    return answer(pods).put("was", was).put("mode", wanted);
  }

  /// Has the proxy of a node read the kernel back and repair what differs.
  ObjectNode repair(String node) {
    List<String> pods = pods(node);
    if (pods.isEmpty()) {
      throw new ApiException(
          Status.of(404, "NotFound", "node " + node + " shows no pod of its proxy"));
    }
    pods.forEach(pod -> delete(pod, query));
    return answer(pods);
  }

  private static ObjectNode answer(List<String> pods) {
    ObjectNode answer = Json.object();
    ArrayNode names = answer.putArray("pods");
    pods.forEach(names::add);
    return answer;
  }

  /// @param node empty for all
  private List<String> pods(String node) {
    return client
        .list(ResourceType.PODS, NAMESPACE, ListOptions.ALL.labelled("k8s-app=kube-proxy"))
        .items()
        .stream()
        .filter(pod -> node.isEmpty() || Json.textOr(pod, "", "spec", "nodeName").equals(node))
        .map(pod -> Json.textOr(pod, "", "metadata", "name"))
        .sorted()
        .toList();
  }

  private void delete(String pod, Map<String, String> how) {
    ObjectNode options = Json.object().put("apiVersion", "v1").put("kind", "DeleteOptions");
    if (how.containsKey(DRY_RUN)) {
      options.putArray(DRY_RUN).add("All");
    }
    client.raw(
        ApiRequest.with(
            "DELETE",
            ResourceType.PODS.path(NAMESPACE) + "/" + ApiRequest.escape(pod),
            how,
            options));
  }
}
