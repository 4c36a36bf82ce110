package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.util.List;

/// What names need of a pod.
///
/// @param terminating it is being deleted; its name stays until it is gone
record PodFacts(ObjectKey key, List<IpAddress> addresses, boolean terminating) implements DnsFacts {
  PodFacts {
    addresses = List.copyOf(addresses);
  }
}
