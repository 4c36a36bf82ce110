package io.fairlead.proxy.flows;

import io.fairlead.proxy.core.Protocol;
import org.jspecify.annotations.Nullable;

/// Where a connection goes to, in words of the fixture.
///
/// @param service a service of the fixture
/// @param port the port to call, or -1 for the service's own
/// @param protocol null for the one the fixture is built with
public record Destination(String service, Place place, int port, @Nullable Protocol protocol) {

  /// The sorts of addresses.
  public enum Place {
    CLUSTER_IP,
    LOAD_BALANCER,
    EXTERNAL_IP,
    /// The node port on the node's first address.
    PRIMARY,
    /// The node port on the node's second address.
    SECOND,
    /// The node port on loopback.
    LOCALHOST,
    /// An address of the service range that no Service has.
    UNALLOCATED
  }

  public static Destination of(String service, Place place) {
    return new Destination(service, place, -1, null);
  }

  @Override
  public String toString() {
    return service
        + " "
        + place
        + (port < 0 ? "" : ":" + port)
        + (protocol == null ? "" : "/" + protocol.lower());
  }
}
