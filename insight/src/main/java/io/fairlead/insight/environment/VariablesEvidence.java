package io.fairlead.insight.environment;

import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ServiceFacts;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// What is known about the Service variables of a pod.
///
/// @param pod the pod; not to be changed
/// @param services those of its namespace, and the API's own
/// @param given what its containers were given when they were made, by container, as the node's
///   agent recorded it; not seen where no agent of ours runs
public record VariablesEvidence(
    ObjectNode pod, List<ServiceFacts> services, Evidence<Map<String, Map<String, String>>> given) {
  public VariablesEvidence {
    services = List.copyOf(services);
  }
}
