package io.fairlead.insight.simulate;

import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ObjectKey;
import io.fairlead.controller.endpointslice.SlicePrediction;
import io.fairlead.insight.testing.FakeSources;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.config.ProxyFlag;
import io.fairlead.proxy.core.ProxyMode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The cluster that simulations start from: three nodes, a Deployment of three pods, one on each,
/// its Service, a client, and a Service without anything in common with them.
final class SimulatedCluster {
  static final Instant NOW = Instant.parse("2026-11-16T10:45:00Z");
  static final ObjectKey HOSTNAMES = new ObjectKey("default", "hostnames");

  private static final List<String> NODES = List.of("a", "b", "c");

  private SimulatedCluster() {}

  static FakeSources sources() {
    FakeSources cluster = new FakeSources(NOW);
    cluster.with(
        """
        kind: Namespace
        metadata: {name: default, labels: {kubernetes.io/metadata.name: default}}
        ---
        kind: Service
        metadata: {name: hostnames, namespace: default, uid: s-1}
        spec:
          type: NodePort
          clusterIP: 10.0.1.175
          clusterIPs: [10.0.1.175]
          ipFamilies: [IPv4]
          internalTrafficPolicy: Cluster
          externalTrafficPolicy: Cluster
          selector: {app: hostnames}
          ports: [{name: default, port: 80, protocol: TCP, targetPort: 9376, nodePort: 30380}]
        ---
        kind: Service
        metadata: {name: other, namespace: default, uid: s-2}
        spec:
          type: ClusterIP
          clusterIP: 10.0.1.9
          clusterIPs: [10.0.1.9]
          ipFamilies: [IPv4]
          selector: {app: other}
          ports: [{name: default, port: 80, protocol: TCP, targetPort: 80}]
        ---
        kind: Deployment
        metadata: {name: hostnames, namespace: default, uid: d-1}
        spec:
          replicas: 3
          selector: {matchLabels: {app: hostnames}}
          template:
            metadata: {labels: {app: hostnames}}
            spec: {containers: [{name: hostnames, image: fairlead.dev/hostnames, ports: [{containerPort: 9376}]}]}
        ---
        kind: ReplicaSet
        metadata:
          name: hostnames-7c9d5f6b8
          namespace: default
          uid: r-1
          ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: hostnames, uid: d-1, controller: true}]
        spec: {replicas: 3}
        ---
        kind: Pod
        metadata: {name: client-0, namespace: default, uid: u-client, labels: {app: client}}
        spec: {nodeName: a, containers: [{name: shell, image: fairlead.dev/shell}]}
        status:
          phase: Running
          podIP: 10.244.1.20
          podIPs: [{ip: 10.244.1.20}]
          conditions: [{type: Ready, status: "True"}]
        """);
    StringBuilder endpoints = new StringBuilder();
    for (int i = 1; i <= NODES.size(); i++) {
      String node = NODES.get(i - 1);
      cluster.with(node(node, i)).with(pod(i, node));
      endpoints.append(
          """
          - addresses: [10.244.%d.7]
            conditions: {ready: true, serving: true, terminating: false}
            nodeName: %s
            targetRef: {kind: Pod, name: hostnames-%d, namespace: default, uid: u-%d}
          """
              .formatted(i, node, i, i));
    }
    cluster.with(
        """
        kind: EndpointSlice
        metadata:
          name: hostnames-8x4zk
          namespace: default
          generateName: hostnames-
          labels:
            kubernetes.io/service-name: hostnames
            endpointslice.kubernetes.io/managed-by: endpointslice-controller.k8s.io
          ownerReferences: [{apiVersion: v1, kind: Service, name: hostnames, uid: s-1, controller: true, blockOwnerDeletion: true}]
        addressType: IPv4
        ports: [{name: default, port: 9376, protocol: TCP}]
        endpoints:
        %s
        """
            .formatted(endpoints));
    return cluster;
  }

  private static String node(String name, int number) {
    return """
    kind: Node
    metadata: {name: %s}
    status:
      conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-16T09:00:00Z"}]
      addresses: [{type: InternalIP, address: 192.0.2.%d}]
    """
        .formatted(name, 10 + number);
  }

  private static String pod(int number, String node) {
    return """
    kind: Pod
    metadata:
      name: hostnames-%d
      namespace: default
      uid: u-%d
      creationTimestamp: "2026-11-16T10:3%d:00Z"
      labels: {app: hostnames}
      ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: hostnames-7c9d5f6b8, uid: r-1, controller: true}]
    spec:
      nodeName: %s
      containers: [{name: hostnames, image: fairlead.dev/hostnames, ports: [{containerPort: 9376}]}]
    status:
      phase: Running
      podIP: 10.244.%d.7
      podIPs: [{ip: 10.244.%d.7}]
      conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-16T10:33:00Z"}]
      containerStatuses:
      - {name: hostnames, ready: true, started: true, restartCount: 0, state: {running: {startedAt: "2026-11-16T10:32:00Z"}}}
    """
        .formatted(number, number, number, node, number, number);
  }

  /// Each node carries 10 connections to each endpoint.
  static Map<String, ObjectNode> flows() {
    ObjectNode flows =
        (ObjectNode)
            Yaml.parse(
                """
                mode: iptables
                services:
                - namespace: default
                  name: hostnames
                  endpoints:
                  - {address: 10.244.1.7, port: 9376, active: 10}
                  - {address: 10.244.2.7, port: 9376, active: 10}
                  - {address: 10.244.3.7, port: 9376, active: 10}
                - {namespace: default, name: other, endpoints: [{address: 10.244.9.9, active: 7}]}
                """);
    return Map.of("a", flows, "b", flows, "c", flows);
  }

  static Simulation simulation(FakeSources sources, ProxyMode mode) {
    ProxyConfiguration configuration =
        ProxyConfiguration.defaults()
            .with(ProxyFlag.find("iptables-localhost-nodeports").orElseThrow(), "true");
    ClusterObjects objects = ClusterObjects.read(sources, "default");
    return new Simulation(
        objects,
        objects.all("Node").stream().map(node -> new NodeModel(mode, configuration, node)).toList(),
        SlicePrediction::of,
        flows(),
        NOW);
  }
}
