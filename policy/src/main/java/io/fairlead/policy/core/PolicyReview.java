package io.fairlead.policy.core;

import io.fairlead.api.selector.LabelRequirement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Looks for what a policy's author has probably not meant: entries that are invalid, a selector
/// that selects nothing, a name of a port that no pod has.
public final class PolicyReview {
  private PolicyReview() {}

  /// @param namespaces the labels of which peers may name
  public static List<PolicyRemark> of(
      NetworkPolicy policy, Collection<PolicyPod> pods, Collection<PolicyNamespace> namespaces) {
    List<PolicyRemark> findings = new ArrayList<>();
    for (NetworkPolicy.InvalidEntry entry : policy.invalid()) {
      findings.add(new PolicyRemark.MatchesNothing(policy.key(), entry));
    }
    List<PolicyPod> selected = pods.stream().filter(policy::appliesTo).toList();
    if (selected.isEmpty() && policy.podSelector().isPresent()) {
      findings.add(
          new PolicyRemark.AppliesToNoPod(
              policy.key(),
              policy.podSelector().get(),
              nearest(policy.podSelector().get(), policy.namespace(), pods)));
    }
    peers(policy, pods, namespaces, findings);
    unresolved(policy, selected, findings);
    return findings;
  }

  /// The label that comes nearest to one that no pod has.
  private static Optional<PolicyRemark.NearLabel> nearest(
      Selector selector, String namespace, Collection<PolicyPod> pods) {
    for (LabelRequirement requirement : selector.requirements()) {
      if (requirement.operator() != LabelRequirement.Operator.IN) {
        continue;
      }
      Map<String, Integer> counts = new TreeMap<>();
      pods.stream()
          .filter(pod -> pod.namespace().equals(namespace))
          .map(pod -> pod.labels().get(requirement.key()))
          .filter(Objects::nonNull)
          .forEach(value -> counts.merge(value, 1, Integer::sum));
      if (counts.keySet().stream().anyMatch(requirement.values()::contains)) {
        continue;
      }
      String wanted = requirement.values().first();
      Optional<String> near =
          counts.keySet().stream()
              .min(Comparator.comparingInt((String each) -> distance(wanted, each)));
      if (near.isPresent()) {
        int count = Objects.requireNonNull(counts.get(near.get()));
        return Optional.of(new PolicyRemark.NearLabel(requirement.key() + "=" + near.get(), count));
      }
    }
    return Optional.empty();
  }

  /// How many letters must be added, removed or changed to come from one to the other.
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int above = row[j];
        int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(changed, 1 + Math.min(above, row[j - 1]));
        diagonal = above;
      }
    }
    return row[other.length()];
  }

  /// Peers that match no pod, or no namespace.
  private static void peers(
      NetworkPolicy policy,
      Collection<PolicyPod> pods,
      Collection<PolicyNamespace> namespaces,
      List<PolicyRemark> findings) {
    for (Direction direction : Direction.values()) {
      List<NetworkPolicyRule> rules = policy.rules(direction);
      for (int rule = 0; rule < rules.size(); rule++) {
        List<PolicyPeer> all = rules.get(rule).peers();
        for (int peer = 0; peer < all.size(); peer++) {
          if (all.get(peer) instanceof PolicyPeer.Pods selected
              && selected(selected, pods, namespaces).findAny().isEmpty()) {
            findings.add(
                new PolicyRemark.PeerMatchesNoPod(policy.key(), direction, rule, peer, selected));
          }
        }
      }
    }
  }

  /// The pods that an entry of `from` or `to` selects. Looks at each namespace once, and at each
  /// pod once.
  public static Stream<PolicyPod> selected(
      PolicyPeer.Pods peer, Collection<PolicyPod> pods, Collection<PolicyNamespace> namespaces) {
    Set<String> names =
        peer.namespace()
            .map(Set::of)
            .orElseGet(
                () ->
                    namespaces.stream()
                        .filter(each -> peer.namespaces().matches(each.labels()))
                        .map(PolicyNamespace::name)
                        .collect(Collectors.toSet()));
    return pods.stream()
        .filter(pod -> names.contains(pod.namespace()) && peer.pods().matches(pod.labels()));
  }

  private static void unresolved(
      NetworkPolicy policy, List<PolicyPod> selected, List<PolicyRemark> findings) {
    Set<PortName> names = new LinkedHashSet<>();
    for (NetworkPolicyRule rule : policy.rules(Direction.INGRESS)) {
      boolean matches = rule.peers().stream().anyMatch(p -> !(p instanceof PolicyPeer.Nothing));
      for (PolicyPort port : rule.ports()) {
        if (matches
            && port instanceof PolicyPort.Named named
            && !selected.isEmpty()
            && selected.stream().noneMatch(pod -> pod.ports().containsKey(named.name()))) {
          names.add(named.name());
        }
      }
    }
    for (PortName name : names) {
      findings.add(new PolicyRemark.PortUnresolved(policy.key(), name, selected.size()));
    }
  }
}
