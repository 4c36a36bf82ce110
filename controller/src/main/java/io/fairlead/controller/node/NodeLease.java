package io.fairlead.controller.node;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import tools.jackson.databind.node.ObjectNode;

/// A lease, as far as it is a sign of life of a node.
///
/// @param renewed as the node wrote it; only ever compared with itself
record NodeLease(ObjectMeta metadata, String renewed) implements HasMetadata {
  static final InformerKind<NodeLease> KIND = InformerKind.of(ResourceType.LEASES, NodeLease::of);

  static NodeLease of(ObjectNode lease) {
    return new NodeLease(ObjectMeta.of(lease), Json.textOr(lease, "", "spec", "renewTime"));
  }

  /// Where a node has its lease.
  static ObjectKey key(String node) {
    return new ObjectKey("kube-node-lease", node);
  }
}
