package io.fairlead.insight.gather;

import io.fairlead.client.ObjectKey;
import java.time.Duration;
import java.util.Optional;

/// How to ask about a Service.
///
/// @param port a name or number; empty for all ports
/// @param fromPod the pod whose view counts
/// @param fromNode the node whose view counts
/// @param probe whether anything may be sent
/// @param front the address of the Service to call; empty for its cluster IP
/// @param domain of the cluster, `cluster.local`
/// @param server the DNS server to ask; empty for the cluster's
/// @param limit for all questions together
public record ExplainOptions(
    String port,
    Optional<ObjectKey> fromPod,
    Optional<String> fromNode,
    boolean probe,
    String front,
    String domain,
    Optional<String> server,
    Duration limit) {
  /// Everything about all ports, from where the command runs.
  public static final ExplainOptions DEFAULT =
      new ExplainOptions(
          "",
          Optional.empty(),
          Optional.empty(),
          true,
          "",
          "cluster.local",
          Optional.empty(),
          Duration.ofSeconds(5));

  public ExplainOptions withoutProbes() {
    return new ExplainOptions(port, fromPod, fromNode, false, front, domain, server, limit);
  }

  public ExplainOptions from(Optional<ObjectKey> pod, Optional<String> node) {
    return new ExplainOptions(port, pod, node, probe, front, domain, server, limit);
  }

  public ExplainOptions at(String address) {
    return new ExplainOptions(port, fromPod, fromNode, probe, address, domain, server, limit);
  }
}
