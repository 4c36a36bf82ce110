package io.fairlead.insight.explain;

import io.fairlead.api.json.Json;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.insight.evidence.PolicyEvidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.finding.Finding;
import io.fairlead.insight.finding.FindingCode;
import io.fairlead.insight.finding.Sentence;
import io.fairlead.insight.finding.Severity;
import io.fairlead.insight.finding.Subject;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.PolicyPod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// The row `Nodes`: which of the nodes with a pod that a policy selects have it in their kernel, by
/// the reports of their policy components.
final class PolicyEnforcement {
  private static final String NAME = "Nodes";

  private final PolicyEvidence evidence;
  private final NetworkPolicy policy;
  private final String version;
  private final SortedSet<String> concerned;
  private final Map<String, PolicyReport> living = new HashMap<>();

  PolicyEnforcement(
      PolicyEvidence evidence, ObjectNode object, NetworkPolicy policy, List<PolicyPod> selected) {
    this.evidence = evidence;
    this.policy = policy;
    this.version = Json.textOr(object, "", "metadata", "resourceVersion");
    this.concerned =
        selected.stream()
            .filter(pod -> !pod.finished() && !pod.hostNetwork())
            .map(PolicyPod::node)
            .filter(node -> !node.isEmpty())
            .collect(Collectors.toCollection(TreeSet::new));
    for (PolicyReport report : evidence.reports().value().orElse(List.of())) {
      if (report.lives(evidence.now())) {
        living.put(report.node(), report);
      }
    }
  }

  /// Nodes with a pod that it selects.
  SortedSet<String> concerned() {
    return concerned;
  }

  /// Those of them whose kernel has the policy as it is now.
  SortedSet<String> enforcing() {
    return concerned.stream().filter(this::enforces).collect(Collectors.toCollection(TreeSet::new));
  }

  private boolean enforces(String node) {
    PolicyReport report = living.get(node);
    return report != null && (version.isEmpty() || report.shows("networkpolicies", version));
  }

  /// Empty when it selects no pod of any node.
  Optional<Row> nodes() {
    if (concerned.isEmpty()) {
      return Optional.empty();
    }
    if (evidence.reports() instanceof Unseen<?> unseen) {
      return Optional.of(Row.unknown(NAME, Words.unknown(unseen)));
    }
    TreeSet<String> silent = new TreeSet<>(concerned);
    silent.removeAll(living.keySet());
    if (!silent.isEmpty()) {
      return Optional.of(Row.found(NAME, RowState.OK, missing(silent, "silent")));
    }
    // A report is at most ten seconds old; one of a node that cannot follow ends.
    TreeSet<String> behind = new TreeSet<>(concerned);
    behind.removeAll(enforcing());
    return Optional.of(
        behind.isEmpty()
            ? Row.of(
                NAME,
                RowState.OK,
                Sentence.of("row.policy.enforced", "nodes", Words.list(concerned)),
                Source.API)
            : Row.found(NAME, RowState.OK, missing(behind, "behind").as(Severity.NOTE)));
  }

  private Finding missing(SortedSet<String> nodes, String why) {
    return Finding.of(
        FindingCode.FL169,
        Subject.policy(policy.namespace(), policy.key().name()),
        Source.API,
        Map.of("nodes", Words.list(nodes), "why", why));
  }
}
