package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.informer.Pacing;
import io.fairlead.proxy.conntrack.FlowTable;
import io.fairlead.proxy.core.DataPlane;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a proxy is given to work with.
///
/// @param mode `iptables` or `nftables`, as it really is
/// @param nodeName the node this proxy is for
/// @param planes what carries out plans, one for each family the kernel has
/// @param localAddresses the addresses of the node's interfaces
/// @param whenWritten runs once, when the first plan of every family has been tried and the rules
///   of one at least are in the kernel
/// @param standing where it is written down what the rules show, if anywhere
public record Surroundings(
    Client client,
    String mode,
    String nodeName,
    Map<IpAddress.Family, DataPlane> planes,
    FlowTable flows,
    List<IpAddress> localAddresses,
    InstantSource clock,
    Pacing pacing,
    Runnable whenWritten,
    Optional<Standing> standing) {

  public Surroundings {
    planes = Map.copyOf(planes);
    localAddresses = List.copyOf(localAddresses);
  }

  /// Those of a proxy that leaves no note.
  public Surroundings(
      Client client,
      String mode,
      String nodeName,
      Map<IpAddress.Family, DataPlane> planes,
      FlowTable flows,
      List<IpAddress> localAddresses,
      InstantSource clock,
      Pacing pacing,
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
        Optional.empty());
  }
}
