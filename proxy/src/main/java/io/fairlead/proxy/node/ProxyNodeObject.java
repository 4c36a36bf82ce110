package io.fairlead.proxy.node;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.objects.V1Node;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What the proxy reads of its own Node.
///
/// @param zone empty when it has none
/// @param addresses internal ones first
/// @param draining the autoscaler has announced its end
public record ProxyNodeObject(
    ObjectMeta metadata,
    String zone,
    List<Cidr> podCidrs,
    List<IpAddress> addresses,
    boolean draining)
    implements HasMetadata {

  private static final String TAINT = "ToBeDeletedByClusterAutoscaler";

  public ProxyNodeObject {
    podCidrs = List.copyOf(podCidrs);
    addresses = List.copyOf(addresses);
  }

  /// Reads a Node of the API.
  public static ProxyNodeObject of(ObjectNode object) {
    return of(V1Node.of(object));
  }

  /// Of what is read of a Node.
  public static ProxyNodeObject of(V1Node node) {
    List<Cidr> podCidrs = new ArrayList<>();
    for (String text : node.podCidrs()) {
      Cidr cidr = Cidr.parseLenientOrNull(text);
      if (cidr != null) {
        podCidrs.add(cidr.masked());
      }
    }
    List<IpAddress> addresses = new ArrayList<>();
    add(node.addresses("InternalIP"), addresses);
    add(node.addresses("ExternalIP"), addresses);
    boolean draining = false;
    for (V1Node.Taint taint : node.taints()) {
      draining |= taint.key().equals(TAINT);
    }
    return new ProxyNodeObject(
        node.metadata(),
        node.metadata().labels().getOrDefault(V1Node.ZONE_LABEL, ""),
        podCidrs,
        addresses,
        draining);
  }

  private static void add(List<String> texts, List<IpAddress> addresses) {
    for (String text : texts) {
      IpAddress address = IpAddress.parseLenientOrNull(text);
      if (address != null) {
        addresses.add(address);
      }
    }
  }

  /// Whether load balancers may send traffic to it.
  public boolean eligible() {
    return !draining && metadata.deletionTimestamp().isEmpty();
  }
}
