package io.fairlead.agent.routes;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.RawObject;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A node, as far as packets are sent to its pods.
///
/// @param addresses by which it is reached inside the cluster
/// @param ranges of its pods
/// @param tunnelEnd as it is published; empty when there is none
/// @param published the annotation itself
public record PeerNode(
    ObjectMeta metadata,
    List<IpAddress> addresses,
    List<Cidr> ranges,
    Optional<VxlanTunnelEndpoint> tunnelEnd,
    String published)
    implements HasMetadata {
  private static final FieldMask FIELDS =
      FieldMask.of(FieldMask.Part.IDENTITY).annotations(VxlanTunnelEndpoint.ANNOTATION);

  public PeerNode {
    addresses = List.copyOf(addresses);
    ranges = List.copyOf(ranges);
  }

  static PeerNode of(RawObject object) {
    V1Node node = object.read(in -> V1Node.read(in, FIELDS));
    List<IpAddress> addresses = new ArrayList<>();
    for (String text : node.addresses("InternalIP")) {
      IpAddress one = IpAddress.parseOrNull(text);
      if (one != null) {
        addresses.add(one);
      }
    }
    List<Cidr> ranges = new ArrayList<>();
    for (String text : node.podCidrs()) {
      Cidr one = Cidr.parseOrNull(text);
      if (one != null) {
        ranges.add(one.masked());
      }
    }
    String published = node.annotations().getOrDefault(VxlanTunnelEndpoint.ANNOTATION, "");
    return new PeerNode(
        node.metadata(), addresses, ranges, VxlanTunnelEndpoint.of(published), published);
  }

  String name() {
    return metadata.name();
  }

  Optional<IpAddress> address(IpAddress.Family family) {
    return addresses.stream().filter(one -> one.family() == family).findFirst();
  }
}
