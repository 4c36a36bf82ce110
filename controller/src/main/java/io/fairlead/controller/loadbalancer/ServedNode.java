package io.fairlead.controller.loadbalancer;

import io.fairlead.api.json.Json;
import io.fairlead.api.loadbalancer.LoadBalancerPools.ReservedRange;
import io.fairlead.api.loadbalancer.PoolRange;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A node, as far as its addresses are not for load balancers, or are those of one.
///
/// @param reserved its own addresses and those of its pods
/// @param takesTraffic whether it is ready and not excluded from balancers
/// @param external its addresses outside of the cluster
/// @param internal those inside
record ServedNode(
    ObjectMeta metadata,
    List<ReservedRange> reserved,
    boolean takesTraffic,
    List<IpAddress> external,
    List<IpAddress> internal)
    implements HasMetadata {
  static final InformerKind<ServedNode> KIND = InformerKind.of(ResourceType.NODES, ServedNode::of);

  private static final String EXCLUDE = "node.kubernetes.io/exclude-from-external-load-balancers";

  ServedNode {
    reserved = List.copyOf(reserved);
    external = List.copyOf(external);
    internal = List.copyOf(internal);
  }

  static ServedNode of(ObjectNode object) {
    ObjectMeta metadata = ObjectMeta.of(object);
    List<ReservedRange> reserved = new ArrayList<>();
    List<IpAddress> external = new ArrayList<>();
    List<IpAddress> internal = new ArrayList<>();
    for (JsonNode one : object.at("/status/addresses")) {
      IpAddress address = IpAddress.parseOrNull(Json.textOr(one, "", "address"));
      if (address != null) {
        reserved.add(new ReservedRange(PoolRange.of(address), "node " + metadata.name()));
        switch (Json.textOr(one, "", "type")) {
          case "ExternalIP" -> external.add(address);
          case "InternalIP" -> internal.add(address);
          default -> {}
        }
      }
    }
    for (JsonNode one : object.at("/spec/podCIDRs")) {
      Cidr range = Cidr.parseOrNull(one.asString(""));
      if (range != null) {
        reserved.add(new ReservedRange(PoolRange.of(range), "the pods of node " + metadata.name()));
      }
    }
    // Heartbeats change the version all the time; two that say the same are equal.
    return new ServedNode(
        ObjectMeta.of(metadata.key(), metadata.resourceVersion()),
        reserved,
        isReady(object) && !isExcluded(metadata),
        external,
        internal);
  }

  private static boolean isReady(ObjectNode object) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (Json.textOr(condition, "", "type").equals("Ready")) {
        return Json.textOr(condition, "", "status").equals("True");
      }
    }
    return false;
  }

  private static boolean isExcluded(ObjectMeta metadata) {
    String label = metadata.labels().get(EXCLUDE);
    return metadata.beingDeleted() || (label != null && !label.equals("false"));
  }

  /// Whether it says the same but for its version.
  boolean saysTheSameAs(ServedNode other) {
    return reserved.equals(other.reserved)
        && takesTraffic == other.takesTraffic
        && external.equals(other.external)
        && internal.equals(other.internal);
  }
}
