package io.fairlead.insight.explain;

import static io.fairlead.insight.explain.BaseCluster.refused;
import static io.fairlead.insight.explain.BaseCluster.service;
import static io.fairlead.insight.explain.BaseCluster.unready;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.insight.testing.FakeSources;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Changes to the cluster that several vectors share.
final class ClusterChanges {
  private ClusterChanges() {}

  static void remove(FakeSources cluster, int number) {
    cluster.without("Pod", new ObjectKey("default", "hostnames-" + number));
  }

  static void waiting(FakeSources cluster, int number, String reason, int restarts) {
    ObjectNode pod = unready(cluster, number);
    ObjectNode container = (ObjectNode) pod.path("status").path("containerStatuses").path(0);
    container.put("restartCount", restarts);
    container.putObject("state").putObject("waiting").put("reason", reason);
  }

  static void targetPort(FakeSources cluster, String name) {
    service(cluster).path("ports").forEach(port -> ((ObjectNode) port).put("targetPort", name));
  }

  static void portName(FakeSources cluster, int number, String name, String protocol) {
    ((ObjectNode)
            cluster
                .object("Pod", "hostnames-" + number)
                .path("spec")
                .path("containers")
                .path(0)
                .path("ports")
                .path(0))
        .put("name", name)
        .put("protocol", protocol);
  }

  /// Without a selector, and with one slice or none.
  static void byHand(FakeSources cluster, @org.jspecify.annotations.Nullable ObjectNode slice) {
    service(cluster).remove("selector");
    cluster.all("EndpointSlice").clear();
    refused(cluster);
    if (slice != null) {
      cluster.all("EndpointSlice").add(slice);
    }
  }

  static void rules(FakeSources cluster, String node, String what) {
    cluster.document(
        node,
        "rules",
        "{mode: iptables, families: [{family: IPv4, present: true, %s: [a rule]}]}"
            .formatted(what));
  }

  static void checks(FakeSources cluster, String node, String yaml) {
    cluster.document(node, "checks", yaml);
  }

  static void dead(FakeSources cluster, String node) {
    Json.child(cluster.object("Lease", "fairlead-proxy-" + node), "spec")
        .put("renewTime", "2026-11-16T10:10:00.000000Z");
    blind(cluster, node);
  }

  /// Its node API does not answer.
  static void blind(FakeSources cluster, String node) {
    for (String what : List.of("about", "rules", "checks")) {
      cluster.silence(node, what);
    }
  }

  static void balancer(FakeSources cluster) {
    service(cluster).put("type", "LoadBalancer").put("externalTrafficPolicy", "Cluster");
    Json.child(Json.child(cluster.object("Service", "hostnames"), "status"), "loadBalancer")
        .putArray("ingress")
        .addObject()
        .put("ip", "203.0.113.9");
  }

  /// The balancer's address is one of Fairlead's.
  ///
  /// @param pool `local` is not announced
  static void allocated(FakeSources cluster, String pool) {
    balancer(cluster);
    Json.child(Json.child(cluster.object("Service", "hostnames"), "metadata"), "annotations")
        .put("fairlead.dev/allocated-from", pool);
    cluster.with(
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {namespace: kube-public, name: fairlead-load-balancer}
        data:
          pools.yaml: "pools: [{name: %s, addresses: [203.0.113.0/24], announce: %s}]"
        """
            .formatted(pool, pool.equals("local") ? "none" : "l2"));
  }

  static void nodePort(FakeSources cluster) {
    service(cluster).put("type", "NodePort");
    service(cluster).path("ports").forEach(port -> ((ObjectNode) port).put("nodePort", 30380));
  }

  static void alias(FakeSources cluster, String target, String rcode) {
    service(cluster).removeAll();
    service(cluster).put("type", "ExternalName").put("externalName", target);
    cluster.names("hostnames.default.svc.cluster.local.", rcode, List.of(), target);
  }

  static void headless(FakeSources cluster) {
    service(cluster).put("clusterIP", "None");
    service(cluster).putArray("clusterIPs").add("None");
    cluster.names(
        "hostnames.default.svc.cluster.local.",
        "NOERROR",
        List.of("10.244.1.7", "10.244.2.7", "10.244.3.7"));
  }

  static void denyAll(FakeSources cluster) {
    cluster.with(
        """
        kind: NetworkPolicy
        metadata: {name: deny-all, namespace: default}
        spec: {podSelector: {matchLabels: {app: hostnames}}, policyTypes: [Ingress]}
        """);
  }

  static String enforces(String node) {
    return """
    kind: Lease
    metadata:
      name: fairlead-policy-%s
      namespace: kube-public
      labels: {fairlead.dev/policy: "true"}
    spec:
      holderIdentity: %s
      leaseDurationSeconds: 40
      renewTime: "2026-11-16T10:44:50.000000Z"
    """
        .formatted(node, node);
  }
}
