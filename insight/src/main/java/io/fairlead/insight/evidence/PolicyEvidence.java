package io.fairlead.insight.evidence;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.policy.core.PolicyNamespace;
import io.fairlead.policy.core.PolicyPod;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Everything that is known about one NetworkPolicy.
///
/// @param policy whole; empty when there is none
/// @param pods of all namespaces
/// @param reports what the policy component of each node says of itself
/// @param drops by node, for those with a pod that the policy selects: the document `NodeDrops`
public record PolicyEvidence(
    Instant now,
    ObjectKey key,
    Evidence<Optional<ObjectNode>> policy,
    Evidence<List<PolicyPod>> pods,
    Evidence<List<PolicyNamespace>> namespaces,
    Evidence<List<PolicyReport>> reports,
    Map<String, Evidence<ObjectNode>> drops) {
  public PolicyEvidence {
    drops = Map.copyOf(drops);
  }
}
