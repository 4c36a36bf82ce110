package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.insight.testing.FakeSources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The cluster that all vectors start from: three nodes, a Deployment of three pods, one on each,
/// their Service, and a client.
public final class BaseCluster {
  public static final Instant NOW = Instant.parse("2026-11-16T10:45:00Z");
  static final List<String> NODES = List.of("a", "b", "c");

  private BaseCluster() {}

  public static FakeSources make() {
    FakeSources cluster = new FakeSources(NOW);
    cluster.with(
        """
        kind: Service
        metadata: {name: hostnames, namespace: default, creationTimestamp: "2026-11-16T10:00:00Z"}
        spec:
          type: ClusterIP
          clusterIP: 10.0.1.175
          clusterIPs: [10.0.1.175]
          ipFamilies: [IPv4]
          internalTrafficPolicy: Cluster
          selector: {app: hostnames}
          ports: [{name: default, port: 80, protocol: TCP, targetPort: 9376}]
        ---
        kind: Deployment
        metadata: {name: hostnames, namespace: default}
        spec: {replicas: 3, template: {metadata: {labels: {app: hostnames}}}}
        ---
        kind: Service
        metadata: {name: kube-dns, namespace: kube-system}
        spec: {type: ClusterIP, clusterIP: 10.0.0.10}
        ---
        kind: Lease
        metadata: {name: kube-controller-manager, namespace: kube-system}
        spec: {renewTime: "2026-11-16T10:44:58.000000Z", leaseDurationSeconds: 15}
        """);
    ObjectNode slice = slice("hostnames-8x4zk");
    for (int i = 0; i < NODES.size(); i++) {
      String node = NODES.get(i);
      cluster.with(node(node)).with(report(node));
      String pod = "hostnames-" + (i + 1);
      cluster.with(pod(pod, node, address(i + 1)));
      endpoint(slice, pod, node, address(i + 1));
      cluster.document(node, "about", "{mode: iptables, lastSync: {tookMillis: 212}}");
      cluster.document(
          node, "rules", "{mode: iptables, families: [{family: IPv4, present: true}]}");
      cluster.document(
          node,
          "checks",
          """
          {sysctls: {net.ipv4.ip_forward: "1"}, conntrack: {count: 300, max: 262144}}
          """);
      listens(cluster, i + 1, "0.0.0.0", 9376);
      cluster.connects(address(i + 1) + ":9376", Outcome.ANSWERED);
    }
    cluster.all("EndpointSlice").add(slice);
    cluster.with(client("2026-11-16T10:40:00Z"));
    cluster.names("hostnames.default.svc.cluster.local.", "NOERROR", List.of("10.0.1.175"));
    cluster.connects("10.0.1.175:80", Outcome.ANSWERED);
    return cluster.here("a");
  }

  public static String address(int number) {
    return "10.244." + number + ".7";
  }

  private static String node(String name) {
    return """
    kind: Node
    metadata: {name: %s}
    status:
      conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-16T09:00:00Z"}]
      addresses: [{type: InternalIP, address: 192.0.2.%d}]
    """
        .formatted(name, 10 + NODES.indexOf(name));
  }

  public static String report(String node) {
    return """
    kind: Lease
    metadata:
      name: fairlead-proxy-%s
      namespace: kube-public
      labels: {fairlead.dev/proxy: "true"}
      annotations: {fairlead.dev/written-IPv4: "48213"}
    spec:
      holderIdentity: %s
      leaseDurationSeconds: 40
      renewTime: "2026-11-16T10:44:50.000000Z"
    """
        .formatted(node, node);
  }

  public static String pod(String name, String node, String address) {
    return """
    kind: Pod
    metadata:
      name: %s
      namespace: default
      uid: u-%s
      creationTimestamp: "2026-11-16T10:30:00Z"
      labels: {app: hostnames}
    spec:
      nodeName: %s
      containers:
      - name: hostnames
        image: fairlead.dev/hostnames
        ports: [{containerPort: 9376}]
        readinessProbe: {httpGet: {path: /healthz, port: 9376}}
    status:
      phase: Running
      podIP: %s
      podIPs: [{ip: %s}]
      conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-16T10:33:00Z"}]
      containerStatuses:
      - {name: hostnames, ready: true, started: true, restartCount: 0, state: {running: {startedAt: "2026-11-16T10:32:00Z"}}}
    """
        .formatted(name, name, node, address, address);
  }

  static String client(String started) {
    return """
    kind: Pod
    metadata: {name: client-0, namespace: default, uid: u-client-0, labels: {app: client}}
    spec: {nodeName: a, containers: [{name: shell, image: fairlead.dev/shell}]}
    status:
      phase: Running
      podIP: 10.244.1.20
      podIPs: [{ip: 10.244.1.20}]
      containerStatuses:
      - {name: shell, ready: true, started: true, state: {running: {startedAt: "%s"}}}
    """
        .formatted(started);
  }

  static ObjectNode slice(String name) {
    return (ObjectNode)
        Yaml.parse(
            """
            kind: EndpointSlice
            metadata:
              name: %s
              namespace: default
              resourceVersion: "48213"
              labels:
                kubernetes.io/service-name: hostnames
                endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io
              annotations:
                endpoints.kubernetes.io/last-change-trigger-time: "2026-11-16T10:33:00Z"
            addressType: IPv4
            ports: [{name: default, port: 9376, protocol: TCP}]
            endpoints: []
            """
                .formatted(name));
  }

  static void endpoint(ObjectNode slice, String pod, String node, String address) {
    ObjectNode endpoint = ((ArrayNode) slice.path("endpoints")).addObject();
    endpoint.putArray("addresses").add(address);
    endpoint
        .putObject("conditions")
        .put("ready", true)
        .put("serving", true)
        .put("terminating", false);
    endpoint.put("nodeName", node);
    endpoint.putObject("targetRef").put("kind", "Pod").put("name", pod).put("uid", "u-" + pod);
  }

  static void listens(FakeSources cluster, int number, String address, int port) {
    listens(cluster, number, "{protocol: TCP, address: '%s', port: %d}".formatted(address, port));
  }

  static void listens(FakeSources cluster, int number, String sockets) {
    cluster.document(
        NODES.get(number - 1),
        "listeners?pod=u-hostnames-" + number,
        "{listeners: [" + sockets + "]}");
  }

  // Changes that several vectors share.

  static ObjectNode service(FakeSources cluster) {
    return Json.child(cluster.object("Service", "hostnames"), "spec");
  }

  static ObjectNode endpoints(FakeSources cluster, int number) {
    return (ObjectNode)
        cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints").path(number - 1);
  }

  /// The slice without these endpoints.
  static void unlisted(FakeSources cluster) {
    ((ArrayNode) cluster.object("EndpointSlice", "hostnames-8x4zk").path("endpoints")).removeAll();
  }

  static void selector(FakeSources cluster, String key, String value) {
    Json.child(service(cluster), "selector").removeAll();
    Json.child(service(cluster), "selector").put(key, value);
    unlisted(cluster);
    refused(cluster);
  }

  static void refused(FakeSources cluster) {
    cluster.connects("10.0.1.175:80", Outcome.REFUSED);
  }

  /// A pod that is not ready, in its status and in the slice.
  static ObjectNode unready(FakeSources cluster, int number) {
    ObjectNode pod = cluster.object("Pod", "hostnames-" + number);
    ObjectNode ready = (ObjectNode) pod.path("status").path("conditions").path(0);
    ready.put("status", "False").put("lastTransitionTime", "2026-11-16T10:42:07Z");
    ((ObjectNode) pod.path("status").path("containerStatuses").path(0)).put("ready", false);
    ((ObjectNode) endpoints(cluster, number).path("conditions"))
        .put("ready", false)
        .put("serving", false);
    return pod;
  }

  static List<Integer> pods() {
    return new ArrayList<>(List.of(1, 2, 3));
  }
}
