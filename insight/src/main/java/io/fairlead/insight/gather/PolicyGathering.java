package io.fairlead.insight.gather;

import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.PolicyEvidence;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.NetworkPolicyReader;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.node.ObjectNode;

/// Gathers what is known about one NetworkPolicy: the objects at once, then the drops of the nodes
/// where it applies.
public final class PolicyGathering {
  private static final ResourceType POLICIES =
      new ResourceType("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", true);

  /// A larger cluster is answered from these.
  private static final int MOST_PODS = 50_000;

  private static final int MANY = 5000;
  private static final int MOST_NODES = 20;

  private final Sources sources;
  private final InstantSource clock;
  private final Duration limit;

  public PolicyGathering(Sources sources, InstantSource clock, Duration limit) {
    this.sources = sources;
    this.clock = clock;
    this.limit = limit;
  }

  public PolicyEvidence gather(ObjectKey key) {
    try (Questions questions = new Questions(Ticker.system(), limit)) {
      var policy = questions.ask(() -> sources.find(POLICIES, key));
      var pods =
          questions.ask(
              () ->
                  sources.listTyped(
                      ResourceType.PODS,
                      "",
                      ListOptions.ALL,
                      MOST_PODS,
                      (JsonParser in) -> PolicyPod.read(in)));
      var namespaces =
          questions.ask(
              () ->
                  sources.list(
                      ResourceType.NAMESPACES,
                      "",
                      ListOptions.ALL,
                      MANY,
                      one -> PolicyNamespace.read(RawObject.of(one))));
      var reports =
          questions.ask(
              () ->
                  sources.list(
                      ResourceType.LEASES,
                      PolicyReport.NAMESPACE,
                      ListOptions.ALL.labelled(PolicyReport.LABEL),
                      MANY,
                      PolicyReport::of));
      Evidence<Optional<ObjectNode>> found = policy.await();
      Evidence<List<PolicyPod>> all = pods.await();
      Map<String, Supplier<Evidence<ObjectNode>>> asked = new HashMap<>();
      for (String node : nodes(found, all)) {
        asked.put(node, questions.ask(() -> sources.node(node, "drops"))::await);
      }
      Map<String, Evidence<ObjectNode>> drops = new HashMap<>();
      asked.forEach((node, answer) -> drops.put(node, answer.get()));
      return new PolicyEvidence(
          clock.instant(), key, found, all, namespaces.await(), reports.await(), drops);
    }
  }

  /// Those with a pod that the policy selects, the first twenty.
  private static Set<String> nodes(
      Evidence<Optional<ObjectNode>> policy, Evidence<List<PolicyPod>> pods) {
    return policy
        .value()
        .flatMap(found -> found)
        .map(NetworkPolicyReader::read)
        .map(read -> nodes(read, pods.value().orElse(List.of())))
        .orElse(Set.of());
  }

  private static Set<String> nodes(NetworkPolicy policy, List<PolicyPod> pods) {
    return pods.stream()
        .filter(policy::appliesTo)
        .map(PolicyPod::node)
        .filter(node -> !node.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new))
        .stream()
        .limit(MOST_NODES)
        .collect(Collectors.toSet());
  }
}
