package io.fairlead.policy.runtime;

import io.fairlead.api.net.Cidr;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyNode;
import io.fairlead.policy.core.PolicyPod;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What the policy component watches: pods, namespaces and policies of the cluster, and its Node.
final class PolicyInformers implements AutoCloseable {
  static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);

  final Informer<PolicyPod> pods;
  final Informer<PolicyNamespace> namespaces;
  final Informer<NetworkPolicy> policies;
  final Informer<PolicyNode> nodes;
  private final ObjectKey node;
  private volatile List<Cidr> lastRanges = List.of();

  PolicyInformers(Client client, String nodeName, TimingSources timing) {
    node = new ObjectKey("", nodeName);
    pods =
        Informer.decoding(
            ListWatchFactory.objects(client, ResourceType.PODS, "", ""), PolicyPod::read, timing);
    namespaces =
        Informer.decoding(
            ListWatchFactory.objects(client, ResourceType.NAMESPACES, "", ""),
            PolicyNamespace::read,
            timing);
    policies =
        new Informer<>(
            ListWatchFactory.objects(client, POLICIES, "", ""), NetworkPolicyReader::read, timing);
    nodes =
        Informer.decoding(
            ListWatchFactory.objectsByField(
                client, ResourceType.NODES, "", "metadata.name=" + nodeName),
            PolicyNode::read,
            timing);
  }

  void start() {
    nodes.start();
    namespaces.start();
    policies.start();
    pods.start();
  }

  void awaitSync() throws InterruptedException {
    nodes.awaitSync();
    namespaces.awaitSync();
    policies.awaitSync();
    pods.awaitSync();
  }

  /// The ranges the Node has; none before it has any. A Node that registers again has none for a
  /// while: those it had stay, so that the gate does not open.
  List<Cidr> podRanges() {
    List<Cidr> now = nodes.get(node).map(PolicyNode::podRanges).orElse(List.of());
    if (!now.isEmpty()) {
      lastRanges = now;
    }
    return lastRanges;
  }

  /// Up to which versions the copies are complete.
  Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("pods", pods.version());
    versions.put("namespaces", namespaces.version());
    versions.put("networkpolicies", policies.version());
    return versions;
  }

  @Override
  public void close() {
    pods.close();
    policies.close();
    namespaces.close();
    nodes.close();
  }
}
