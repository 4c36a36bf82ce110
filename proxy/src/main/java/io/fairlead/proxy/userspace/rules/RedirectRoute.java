package io.fairlead.proxy.userspace.rules;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Protocol;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the kernel sends new connections to one destination.
///
/// @param inside where connections of local pods and of the node itself go instead; null for the
///   same way
/// @param sources who is let in; empty for everybody
/// @param clusterIp the destination is a cluster IP: its other ports are refused
/// @param owner the service port, for people
public record RedirectRoute(
    Destination destination,
    Action way,
    @Nullable Socket inside,
    List<Cidr> sources,
    boolean clusterIp,
    String owner) {

  public RedirectRoute {
    sources = List.copyOf(sources);
  }

  /// What a packet says.
  ///
  /// @param address null for a node port
  public record Destination(@Nullable IpAddress address, Protocol protocol, int port) {
    @Override
    public String toString() {
      return (address == null ? "node" : address) + " " + protocol.lower() + " " + port;
    }
  }

  /// An address and port of a listener.
  public record Socket(IpAddress address, int port) {}

  /// What happens to a connection.
  public sealed interface Action {
    /// It comes to a listener of this process.
    record To(Socket listener) implements Action {}

    /// It is refused at once.
    record Refuse() implements Action {}

    /// It is never answered.
    record Drop() implements Action {}
  }
}
