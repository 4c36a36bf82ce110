package io.fairlead.proxy.node;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the proxy reads of its own Node.
///
/// @param zone empty when it has none
/// @param addresses internal ones first
/// @param draining the autoscaler has announced its end
public record NodeObject(
    ObjectMeta metadata,
    String zone,
    List<Cidr> podCidrs,
    List<IpAddress> addresses,
    boolean draining)
    implements HasMetadata {

  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String TAINT = "ToBeDeletedByClusterAutoscaler";

  public NodeObject {
    podCidrs = List.copyOf(podCidrs);
    addresses = List.copyOf(addresses);
  }

  /// Reads a Node of the API.
  public static NodeObject of(ObjectNode object) {
    ObjectMeta metadata = ObjectMeta.of(object);
    List<Cidr> podCidrs = new ArrayList<>();
    for (JsonNode text : object.path("spec").path("podCIDRs")) {
      Cidr cidr = Cidr.parseLenientOrNull(text.asString(""));
      if (cidr != null) {
        podCidrs.add(cidr.masked());
      }
    }
    List<IpAddress> addresses = new ArrayList<>(addresses(object, "InternalIP"));
    addresses.addAll(addresses(object, "ExternalIP"));
    boolean draining = false;
    for (JsonNode taint : object.path("spec").path("taints")) {
      draining |= Json.textOr(taint, "", "key").equals(TAINT);
    }
    return new NodeObject(
        metadata, metadata.labels().getOrDefault(ZONE, ""), podCidrs, addresses, draining);
  }

  private static List<IpAddress> addresses(ObjectNode object, String type) {
    List<IpAddress> addresses = new ArrayList<>();
    for (JsonNode entry : object.path("status").path("addresses")) {
      IpAddress address = IpAddress.parseLenientOrNull(Json.textOr(entry, "", "address"));
      if (address != null && Json.textOr(entry, "", "type").equals(type)) {
        addresses.add(address);
      }
    }
    return addresses;
  }

  /// Whether load balancers may send traffic to it.
  public boolean eligible() {
    return !draining && metadata.deletionTimestamp().isEmpty();
  }
}
