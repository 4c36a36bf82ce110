package io.fairlead.insight.evidence;

import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1Node;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Everything that is known about one node.
///
/// @param node empty when the API has none of that name
/// @param report what its proxy says of itself in its Lease; empty when it has none
/// @param rules the document `NodeRulesSummary` of its node API
public record MachineEvidence(
    Instant now,
    String name,
    Evidence<Optional<V1Node>> node,
    Evidence<Optional<ProxyReport>> report,
    Evidence<AboutReport> about,
    Evidence<JsonNode> rules,
    Evidence<ChecksReport> checks) {}
