package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.proxy.announce.Announcer;
import io.fairlead.proxy.conntrack.ConntrackTable;
import io.fairlead.proxy.core.DataPlane;
import io.fairlead.proxy.core.ProxyMode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// What a proxy works with.
///
/// @param mode the one `planes` are of
/// @param nodeName the node this proxy is for
/// @param planes what carries out plans, one for each family the kernel has
/// @param localAddresses the addresses of the node's interfaces
/// @param whenWritten runs once, when the first plan of every family has been tried and the rules
///   of one at least are in the kernel
/// @param checkpoint where the proxy writes down what its rules show, if anywhere
/// @param announcers makes what tells the network where load balancer addresses are, if anything
///   does
public record ProxyDependencies(
    Client client,
    ProxyMode mode,
    String nodeName,
    Map<IpAddress.Family, DataPlane> planes,
    ConntrackTable flows,
    List<IpAddress> localAddresses,
    InstantSource clock,
    TimingSources pacing,
    Runnable whenWritten,
    Optional<RestartCheckpoint> checkpoint,
    Optional<AnnouncerFactory> announcers) {

  /// Makes an announcer.
  @FunctionalInterface
  public interface AnnouncerFactory {
    /// @param mayAnnounce false while addresses must not be announced
    Announcer create(PrometheusRegistry metrics, BooleanSupplier mayAnnounce);
  }

  public ProxyDependencies {
    planes = Map.copyOf(planes);
    localAddresses = List.copyOf(localAddresses);
  }

  /// The plane of a family that [#planes] has.
  DataPlane plane(IpAddress.Family family) {
    return Objects.requireNonNull(planes.get(family));
  }

  /// Those of a proxy that writes no checkpoint and announces nothing.
  public ProxyDependencies(
      Client client,
      ProxyMode mode,
      String nodeName,
      Map<IpAddress.Family, DataPlane> planes,
      ConntrackTable flows,
      List<IpAddress> localAddresses,
      InstantSource clock,
      TimingSources pacing,
      Runnable whenWritten) {
    this(
        client,
        mode,
        nodeName,
        planes,
        flows,
        localAddresses,
        clock,
        pacing,
        whenWritten,
        Optional.empty(),
        Optional.empty());
  }
}
