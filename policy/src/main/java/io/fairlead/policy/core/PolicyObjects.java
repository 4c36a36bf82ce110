package io.fairlead.policy.core;

import io.fairlead.client.ObjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The objects of a cluster that decide about connections, to ask what other policies would change:
/// [#with] and [#without] give the cluster as it would be, [PolicySimulation#changes] compares.
public record PolicyObjects(
    List<PolicyNamespace> namespaces, List<PolicyPod> pods, List<NetworkPolicy> policies) {
  public PolicyObjects {
    namespaces = List.copyOf(namespaces);
    pods = List.copyOf(pods);
    policies = List.copyOf(policies);
  }

  /// With some policies added, or put in the place of those of the same name.
  public PolicyObjects with(Collection<NetworkPolicy> changed) {
    Map<ObjectKey, NetworkPolicy> all = new LinkedHashMap<>();
    policies.forEach(policy -> all.put(policy.key(), policy));
    changed.forEach(policy -> all.put(policy.key(), policy));
    return new PolicyObjects(namespaces, pods, List.copyOf(all.values()));
  }

  /// Without one policy; the same when there is none of that name.
  public PolicyObjects without(ObjectKey policy) {
    List<NetworkPolicy> left = new ArrayList<>(policies);
    left.removeIf(each -> each.key().equals(policy));
    return new PolicyObjects(namespaces, pods, left);
  }

  /// One for all nodes together. It knows no node: what a node and its own pods say to each other
  /// is always allowed and not asked here.
  public Oracle oracle() {
    return new Oracle(new Oracle.Node("", Set.of(), List.of()), namespaces, pods, policies);
  }
}
