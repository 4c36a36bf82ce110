package io.fairlead.controller.servicecidr;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A range of service addresses, as far as it is acted on.
///
/// @param ready `True`, `False`, or empty when it has no such condition
record ServiceCidr(ObjectMeta metadata, List<Cidr> cidrs, String ready) implements HasMetadata {
  /// Keeps a range while addresses of it are in use.
  static final String FINALIZER = "networking.k8s.io/service-cidr-finalizer";

  static final String READY = "Ready";

  ServiceCidr {
    cidrs = List.copyOf(cidrs);
  }

  static ServiceCidr of(ObjectNode object) {
    List<Cidr> cidrs = new ArrayList<>();
    for (JsonNode text : object.at("/spec/cidrs")) {
      Cidr cidr = Cidr.parseOrNull(text.asString(""));
      if (cidr != null) {
        cidrs.add(cidr);
      }
    }
    String ready = "";
    for (JsonNode condition : object.at("/status/conditions")) {
      if (Json.textOr(condition, "", "type").equals(READY)) {
        ready = Json.textOr(condition, "", "status");
      }
    }
    return new ServiceCidr(ObjectMeta.of(object), cidrs, ready);
  }

  String name() {
    return metadata.key().name();
  }

  boolean isGuarded() {
    return metadata.finalizers().contains(FINALIZER);
  }

  Optional<Instant> deletedAt() {
    return metadata.deletionTimestamp().map(Instant::parse);
  }

  boolean contains(IpAddress address) {
    return cidrs.stream()
        .anyMatch(cidr -> cidr.family() == address.family() && cidr.contains(address));
  }
}
