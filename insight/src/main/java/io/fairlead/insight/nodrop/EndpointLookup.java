package io.fairlead.insight.nodrop;

import java.net.InetSocketAddress;
import java.util.Optional;

/// Which endpoint a connection was sent to.
@FunctionalInterface
public interface EndpointLookup {
  /// `10.244.1.7:9376`; empty when that is not known.
  Optional<String> find(InetSocketAddress client, InetSocketAddress front);
}
