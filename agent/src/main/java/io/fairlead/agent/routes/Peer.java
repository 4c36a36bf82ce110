package io.fairlead.agent.routes;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A node, as far as packets are sent to its pods.
///
/// @param addresses by which it is reached inside the cluster
/// @param ranges of its pods
/// @param tunnelEnd as it is published; empty when there is none
/// @param published the annotation itself
public record Peer(
    ObjectMeta metadata,
    List<IpAddress> addresses,
    List<Cidr> ranges,
    Optional<TunnelEnd> tunnelEnd,
    String published)
    implements HasMetadata {
  public Peer {
    addresses = List.copyOf(addresses);
    ranges = List.copyOf(ranges);
  }

  static Peer of(ObjectNode node) {
    List<IpAddress> addresses = new ArrayList<>();
    for (JsonNode address : Json.at(node, "status", "addresses")) {
      IpAddress one = IpAddress.parseOrNull(Json.textOr(address, "", "address"));
      if (one != null && Json.textOr(address, "", "type").equals("InternalIP")) {
        addresses.add(one);
      }
    }
    List<Cidr> ranges = new ArrayList<>();
    for (JsonNode range : Json.at(node, "spec", "podCIDRs")) {
      Cidr one = Cidr.parseOrNull(range.asString(""));
      if (one != null) {
        ranges.add(one.masked());
      }
    }
    String published = Json.textOr(node, "", "metadata", "annotations", TunnelEnd.ANNOTATION);
    return new Peer(ObjectMeta.of(node), addresses, ranges, TunnelEnd.of(published), published);
  }

  String name() {
    return metadata.name();
  }

  Optional<IpAddress> address(IpAddress.Family family) {
    return addresses.stream().filter(one -> one.family() == family).findFirst();
  }
}
