package io.fairlead.proxy.userspace;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.config.ProxyPortRange;
import io.fairlead.proxy.userspace.relay.RelaySettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the userspace mode of a node is set up.
///
/// @param ports where listeners may be
/// @param localAddresses the addresses of the node's interfaces
/// @param bind where listeners are, with no rule in the kernel; null for an address of the node,
///   with rules
public record UserspaceSettings(
    RelaySettings relay,
    ProxyPortRange ports,
    List<IpAddress> localAddresses,
    @Nullable IpAddress bind) {

  public UserspaceSettings {
    localAddresses = List.copyOf(localAddresses);
  }

  /// With rules, ports the kernel chooses, and so many processors.
  public static UserspaceSettings standard(int processors, List<IpAddress> localAddresses) {
    return new UserspaceSettings(
        RelaySettings.forProcessors(processors), ProxyPortRange.any(), localAddresses, null);
  }

  public UserspaceSettings withBind(IpAddress address) {
    return new UserspaceSettings(relay, ports, localAddresses, address);
  }

  public UserspaceSettings withRelay(RelaySettings other) {
    return new UserspaceSettings(other, ports, localAddresses, bind);
  }

  public UserspaceSettings withPorts(ProxyPortRange other) {
    return new UserspaceSettings(relay, other, localAddresses, bind);
  }

  /// Where listeners are: the node's own address if an interface has it, else another address of an
  /// interface that others can reach, else loopback, where only the node itself is served.
  IpAddress listenAddress(IpAddress.Family family, IpAddress nodeAddress) {
    if (bind != null) {
      return bind;
    }
    if (localAddresses.contains(nodeAddress) && !nodeAddress.isLoopback()) {
      return nodeAddress;
    }
    return localAddresses.stream()
        .filter(address -> address.family() == family)
        .filter(address -> !address.isLoopback() && !address.isLinkLocalUnicast())
        .findFirst()
        .orElse(IpAddress.parse(family == IpAddress.Family.IPV4 ? "127.0.0.1" : "::1"));
  }
}
