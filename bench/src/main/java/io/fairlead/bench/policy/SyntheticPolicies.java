package io.fairlead.bench.policy;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.RawObject;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyPlanner;
import io.fairlead.policy.core.PolicyPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A cluster of pods that are all isolated both ways: namespaces of five workloads with ten pods
/// each, and ten policies that let the workloads of a namespace talk in a row, to the next
/// namespace, and ask DNS. The last namespace is followed by the first, so that a pod has as many
/// elements in a small cluster as in a large one. Nine of ten pods are on the node that is
/// measured, up to a thousand.
record SyntheticPolicies(
    List<PolicyNamespace> namespaces, List<PolicyPod> pods, List<NetworkPolicy> policies) {
  static final String NODE = "here";
  static final Cidr LOCAL = Cidr.parse("10.128.0.0/10");

  private static final String ELSEWHERE = "there";
  private static final Cidr REMOTE = Cidr.parse("10.192.0.0/10");
  private static final int WORKLOADS = 5;
  private static final int REPLICAS = 10;
  private static final int PER_NAMESPACE = WORKLOADS * REPLICAS;
  private static final int MOST_LOCAL = 1_100;
  private static final int POLICIES = 2 * WORKLOADS;

  static SyntheticPolicies of(int pods) {
    int count = namespaces(pods);
    List<PolicyNamespace> namespaces = new ArrayList<>();
    List<PolicyPod> all = new ArrayList<>();
    List<NetworkPolicy> policies = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Objects objects = objects(i, count);
      namespaces.add(PolicyNamespace.read(RawObject.of(objects.namespace())));
      objects.pods().forEach(pod -> all.add(PolicyPod.read(RawObject.of(pod))));
      objects.policies().forEach(policy -> policies.add(NetworkPolicyReader.read(policy)));
    }
    return new SyntheticPolicies(namespaces, all, policies);
  }

  /// A namespace with what is in it, as the API has them.
  record Objects(ObjectNode namespace, List<ObjectNode> pods, List<ObjectNode> policies) {}

  /// How many namespaces so many pods are in.
  static int namespaces(int pods) {
    return Math.max(1, pods / PER_NAMESPACE);
  }

  /// @param count of all namespaces
  static Objects objects(int i, int count) {
    ObjectNode namespace = Json.object();
    ObjectNode metadata = namespace.putObject("metadata").put("name", "n" + i);
    metadata.putObject("labels").put("n", "n" + i);
    List<ObjectNode> pods = new ArrayList<>();
    for (int pod = 0; pod < PER_NAMESPACE; pod++) {
      int number = i * PER_NAMESPACE + pod;
      boolean local = pod % REPLICAS != 0 && number < MOST_LOCAL;
      pods.add(
          podObject(
              "n" + i,
              "p" + number,
              "w" + pod % WORKLOADS,
              local,
              (local ? LOCAL : REMOTE).at(number + 10)));
    }
    List<ObjectNode> policies = new ArrayList<>();
    for (int policy = 0; policy < POLICIES; policy++) {
      policies.add(policy(i, policy % WORKLOADS, policy < WORKLOADS, count));
    }
    return new Objects(namespace, pods, policies);
  }

  /// One more pod of a workload.
  static PolicyPod pod(int namespace, int workload, int number, boolean local) {
    return pod(
        "n" + namespace,
        "p" + number,
        "w" + workload,
        local,
        (local ? LOCAL : REMOTE).at(number + 10));
  }

  static PolicyPod pod(
      String namespace, String name, String app, boolean local, IpAddress address) {
    return PolicyPod.read(RawObject.of(podObject(namespace, name, app, local, address)));
  }

  private static ObjectNode podObject(
      String namespace, String name, String app, boolean local, IpAddress address) {
    ObjectNode pod = Json.object();
    ObjectNode metadata = pod.putObject("metadata").put("namespace", namespace).put("name", name);
    metadata.put("uid", "uid-" + name).put("creationTimestamp", "2026-01-01T00:00:00Z");
    metadata.putObject("labels").put("app", app);
    ObjectNode spec = pod.putObject("spec").put("nodeName", local ? NODE : ELSEWHERE);
    spec.putArray("containers")
        .addObject()
        .putArray("ports")
        .addObject()
        .put("name", "web")
        .put("containerPort", 8080);
    pod.putObject("status")
        .put("phase", "Running")
        .putArray("podIPs")
        .addObject()
        .put("ip", address.toString());
    return pod;
  }

  /// What a workload may be reached by, or reach.
  private static ObjectNode policy(int namespace, int workload, boolean ingress, int count) {
    ObjectNode spec = Json.object();
    spec.putObject("podSelector").putObject("matchLabels").put("app", "w" + workload);
    spec.putArray("policyTypes").add(ingress ? "Ingress" : "Egress");
    ArrayNode rules = spec.putArray(ingress ? "ingress" : "egress");
    String peers = ingress ? "from" : "to";
    ObjectNode neighbour = rules.addObject();
    labels(
        neighbour.putArray(peers).addObject().putObject("podSelector"),
        "app",
        "w" + (workload + (ingress ? WORKLOADS - 1 : 1)) % WORKLOADS);
    ArrayNode ports = neighbour.putArray("ports");
    ports.addObject().put("port", 8080);
    ports.addObject().put("port", 8080).put("protocol", "UDP");
    ObjectNode next = rules.addObject();
    labels(
        next.putArray(peers).addObject().putObject("namespaceSelector"),
        "n",
        "n" + (namespace + (ingress ? count - 1 : 1)) % count);
    next.putArray("ports").addObject().put("port", 9000).put("endPort", 9100);
    ObjectNode outside = rules.addObject();
    ObjectNode block =
        outside.putArray(peers).addObject().putObject("ipBlock").put("cidr", "172.16.0.0/12");
    block.putArray("except").add("172.16." + workload % 4 + ".0/24");
    outside.putArray("ports").addObject().put("protocol", "UDP").put("port", 53);
    return object("n" + namespace, (ingress ? "in-" : "out-") + workload, spec);
  }

  private static void labels(ObjectNode selector, String key, String value) {
    selector.putObject("matchLabels").put(key, value);
  }

  /// A policy as the API has it.
  static ObjectNode object(String namespace, String name, ObjectNode spec) {
    ObjectNode policy = Json.object();
    policy.putObject("metadata").put("namespace", namespace).put("name", name);
    policy.set("spec", spec);
    return policy;
  }

  /// Everything planned, and drained.
  PolicyPlanner planner() {
    PolicyPlanner planner = new PolicyPlanner(IpAddress.Family.IPV4, NODE);
    planner.nodeAddresses(Set.of());
    planner.load(namespaces, pods, policies);
    return planner;
  }
}
