package io.fairlead.insight.simulate;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyNode;
import io.fairlead.policy.core.PolicyObjects;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.policy.core.PolicySimulation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// What the API says about pods, policies and Services, to ask the oracle about.
///
/// @param services as they are in the API
public record PolicyModel(
    List<PolicyNamespace> namespaces,
    List<PolicyPod> pods,
    List<NetworkPolicy> policies,
    List<PolicyNode> nodes,
    List<ObjectNode> services) {
  public static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);

  public PolicyModel {
    namespaces = List.copyOf(namespaces);
    pods = List.copyOf(pods);
    policies = List.copyOf(policies);
    nodes = List.copyOf(nodes);
    services = List.copyOf(services);
  }

  /// What is among some objects.
  static PolicyModel of(ClusterObjects objects) {
    return new PolicyModel(
        objects.all("Namespace").stream().map(RawObject::of).map(PolicyNamespace::read).toList(),
        objects.all("Pod").stream().map(RawObject::of).map(PolicyPod::read).toList(),
        objects.all("NetworkPolicy").stream().map(NetworkPolicyReader::read).toList(),
        objects.all("Node").stream().map(RawObject::of).map(PolicyNode::read).toList(),
        objects.all("Service"));
  }

  public static PolicyModel read(Client client) {
    return new PolicyModel(
        list(client, ResourceType.NAMESPACES).stream()
            .map(RawObject::of)
            .map(PolicyNamespace::read)
            .toList(),
        list(client, ResourceType.PODS).stream().map(RawObject::of).map(PolicyPod::read).toList(),
        list(client, POLICIES).stream().map(NetworkPolicyReader::read).toList(),
        list(client, ResourceType.NODES).stream().map(RawObject::of).map(PolicyNode::read).toList(),
        list(client, ResourceType.SERVICES));
  }

  private static List<ObjectNode> list(Client client, ResourceType type) {
    List<ObjectNode> all = new ArrayList<>();
    client.listAll(type, "", ListOptions.ALL, all::add);
    return all;
  }

  public Optional<PolicyPod> pod(ObjectKey key) {
    return pods.stream().filter(pod -> pod.key().equals(key)).findFirst();
  }

  /// One for connections between two addresses: the nodes of both count as their own.
  public Oracle oracle(IpAddress source, IpAddress destination) {
    Set<String> names = new HashSet<>();
    for (PolicyPod pod : pods) {
      if (pod.addresses().contains(source) || pod.addresses().contains(destination)) {
        names.add(pod.node());
      }
    }
    Set<IpAddress> addresses = new HashSet<>();
    nodes.stream()
        .filter(node -> names.contains(node.metadata().name()))
        .forEach(node -> addresses.addAll(node.addresses()));
    return new Oracle(new Oracle.Node("", addresses, List.of()), namespaces, pods, policies);
  }

  /// One over other policies.
  public Oracle oracle(List<NetworkPolicy> others) {
    return new Oracle(new Oracle.Node("", Set.of(), List.of()), namespaces, pods, others);
  }

  /// The policies with some added, or put in the place of those of the same name.
  public List<NetworkPolicy> with(List<NetworkPolicy> changed) {
    Map<ObjectKey, NetworkPolicy> all = new LinkedHashMap<>();
    policies.forEach(policy -> all.put(policy.key(), policy));
    changed.forEach(policy -> all.put(policy.key(), policy));
    return List.copyOf(all.values());
  }

  /// As the functions over objects take it.
  public PolicyObjects objects() {
    return new PolicyObjects(namespaces, pods, policies);
  }

  /// Clients outside of the cluster that these policies, or some others, may tell apart.
  public List<IpAddress> outside(List<NetworkPolicy> others) {
    Set<IpAddress> inside = new HashSet<>();
    nodes.forEach(node -> inside.addAll(node.addresses()));
    pods.forEach(pod -> inside.addAll(pod.addresses()));
    List<NetworkPolicy> all = new ArrayList<>(policies);
    all.addAll(others);
    return PolicySimulation.outside(all, inside::contains);
  }

  /// Every pod behind every port of every Service with a selector.
  public List<PolicySimulation.Target> targets() {
    return services.stream()
        .flatMap(service -> PolicySimulation.targets(service, pods).stream())
        .toList();
  }
}
