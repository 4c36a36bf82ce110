package io.fairlead.controller.servicecidr;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// An IPAddress: an address that is in use.
///
/// @param address empty when the name is none
record AllocatedAddress(ObjectMeta metadata, Optional<IpAddress> address) implements HasMetadata {
  private static final String MANAGED_BY = "ipaddress.kubernetes.io/managed-by";
  private static final String ALLOCATOR = "ipallocator.k8s.io";

  static AllocatedAddress of(ObjectNode object) {
    ObjectMeta metadata = ObjectMeta.of(object);
    return new AllocatedAddress(
        metadata, Optional.ofNullable(IpAddress.parseOrNull(metadata.key().name())));
  }

  /// Whether an API server made it for a Service; what people make by hand holds no range back.
  boolean isManaged() {
    return ALLOCATOR.equals(metadata.labels().get(MANAGED_BY));
  }
}
