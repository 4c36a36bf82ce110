package io.fairlead.proxy.core;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One destination that belongs to a service port, and what happens to traffic for it.
///
/// @param address null for a node port: every address the node serves node ports on
/// @param port the port in the packet: the service's own, or the node port
/// @param verdict what happens to a connection in general
/// @param inside where connections of local pods and of the node itself go instead of following
///   `verdict`, masqueraded for the node and not for pods; empty when they get no extra way. Local
///   pods have it only where a local detector exists
/// @param sources who is let in; empty for everybody. Others are dropped
public record Frontend(
    Kind kind,
    @Nullable IpAddress address,
    int port,
    TrafficVerdict verdict,
    List<Backend> inside,
    List<Cidr> sources) {

  /// The sorts of destinations.
  public enum Kind {
    CLUSTER_IP,
    EXTERNAL_IP,
    LOAD_BALANCER,
    NODE_PORT
  }

  public Frontend {
    inside = List.copyOf(inside);
    sources = List.copyOf(sources);
  }
}
