package io.fairlead.insight.evidence;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.objects.V1Node;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Everything that is known about one pod.
///
/// @param pod whole; empty when there is none
/// @param services all of its namespace
/// @param nodes all
/// @param policies NetworkPolicies of its namespace, whole
/// @param listeners its sockets
public record PodEvidence(
    Instant now,
    ObjectKey key,
    Evidence<Optional<ObjectNode>> pod,
    Evidence<List<ServiceFacts>> services,
    Evidence<List<V1Node>> nodes,
    Evidence<List<ObjectNode>> policies,
    Evidence<ListenersReport> listeners) {}
