package io.fairlead.server.resources.cluster;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NodeReportLeases;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.RequestContext;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// Whom the Leases speak for in which components of nodes report. Readers believe the holder, so it
/// is the node that the Lease is named after. Components that are one user on all nodes write the
/// reports of their own kind only; nodes as such are confined to their own by NodeRestriction.
final class NodeReportCheck {
  private static final Map<String, List<String>> COMPONENTS =
      Map.of(
          "system:kube-proxy", List.of(NodeReportLeases.PROXY, NodeReportLeases.ANNOUNCE),
          "system:fairlead-policy", List.of(NodeReportLeases.POLICY));

  private NodeReportCheck() {}

  /// @throws ApiException 403 when the user may not write this
  static void check(ObjectNode lease, RequestContext context) {
    if (!context.namespace().equals(NodeReportLeases.NAMESPACE)) {
      return;
    }
    String name = Json.textOr(lease, "", "metadata", "name");
    List<String> own = COMPONENTS.getOrDefault(context.user().name(), List.of(""));
    if (own.stream().noneMatch(name::startsWith)) {
      throw refused(name, "user \"" + context.user().name() + "\" writes its own reports only");
    }
    String node = NodeReportLeases.node(name);
    String holder = Json.textOr(lease, "", "spec", "holderIdentity");
    if (!node.isEmpty() && !holder.isEmpty() && !holder.equals(node)) {
      throw refused(name, "it speaks for node \"" + node + "\", which alone can hold it");
    }
  }

  private static ApiException refused(String name, String why) {
    return ApiException.forbidden("coordination.k8s.io", "leases", name, why);
  }
}
