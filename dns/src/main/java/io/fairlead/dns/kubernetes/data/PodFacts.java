package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import java.util.List;

/// What names need of a pod.
///
/// @param terminating it is being deleted
public record PodFacts(ObjectMeta metadata, List<IpAddress> addresses, boolean terminating)
    implements HasMetadata {
  public PodFacts {
    addresses = List.copyOf(addresses);
  }
}
