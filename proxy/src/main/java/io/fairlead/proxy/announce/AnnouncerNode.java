package io.fairlead.proxy.announce;

import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Node;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// What announcers read of a Node.
///
/// @param obstacle why no address may be announced there; empty when one may
/// @param addresses its own inside of the cluster
record AnnouncerNode(ObjectMeta metadata, String obstacle, List<String> addresses)
    implements HasMetadata {
  private static final String EXCLUDE = "node.kubernetes.io/exclude-from-external-load-balancers";
  private static final String TAINT = "ToBeDeletedByClusterAutoscaler";

  AnnouncerNode {
    addresses = List.copyOf(addresses);
  }

  AnnouncerNode(ObjectMeta metadata, String obstacle) {
    this(metadata, obstacle, List.of());
  }

  static AnnouncerNode of(ObjectNode object) {
    V1Node node = V1Node.of(object);
    return new AnnouncerNode(node.metadata(), obstacle(node), node.addresses("InternalIP"));
  }

  private static String obstacle(V1Node node) {
    String excluded = node.metadata().labels().get(EXCLUDE);
    if (excluded != null && !excluded.equals("false")) {
      return "is excluded by label";
    }
    if (node.metadata().beingDeleted()) {
      return "is being deleted";
    }
    if (node.taints().stream().anyMatch(taint -> taint.key().equals(TAINT))) {
      return "is about to be removed by the autoscaler";
    }
    if (node.condition("NetworkUnavailable").filter(V1Condition::isTrue).isPresent()) {
      return "has no network";
    }
    Optional<V1Condition> ready = node.condition("Ready");
    return ready.filter(V1Condition::isTrue).isPresent() ? "" : "is not ready";
  }
}
