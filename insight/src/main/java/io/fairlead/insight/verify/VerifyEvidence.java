package io.fairlead.insight.verify;

import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.MachineEvidence;
import io.fairlead.insight.evidence.NameAnswer;
import tools.jackson.databind.JsonNode;

/// Everything that a verification of one node rests on.
///
/// @param flows the document `NodeFlows` of its node API
/// @param newest the newest version of a slice that proxies read; the node was asked to wait for it
/// @param name what the cluster's DNS server said of the API server's own name
/// @param dnsServers how many ready endpoints the DNS Service has
/// @param millis how long gathering took
public record VerifyEvidence(
    MachineEvidence machine,
    Evidence<JsonNode> flows,
    Evidence<String> newest,
    Evidence<NameAnswer> name,
    Evidence<Integer> dnsServers,
    long millis) {}
