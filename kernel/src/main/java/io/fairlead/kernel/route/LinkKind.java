package io.fairlead.kernel.route;

import io.fairlead.kernel.syscall.NetworkNamespace;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// What kind of interface to make.
public sealed interface LinkKind {

  /// One end of a cable whose other end is another interface.
  ///
  /// @param peerNamespace where the other end is; null for the same namespace
  record Veth(String peer, @Nullable NetworkNamespace peerNamespace) implements LinkKind {}

  /// A switch.
  record Bridge() implements LinkKind {}

  /// An interface that swallows packets, to hold addresses.
  record Dummy() implements LinkKind {}

  /// A tunnel over UDP.
  ///
  /// @param identifier distinguishes networks on the same port
  /// @param learning whether it learns from packets where addresses are
  /// @param local the address tunnels come from; null to let routes decide
  record Vxlan(int identifier, int port, boolean learning, @Nullable InetAddress local)
      implements LinkKind {
    public Vxlan(int identifier, int port, boolean learning) {
      this(identifier, port, learning, null);
    }
  }
}
