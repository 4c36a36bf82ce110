package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import java.util.Set;

/// The dummy interface `kube-ipvs0` that holds the addresses of Services, so that the node takes
/// their packets for its own; in one family. It is never up. Failures are
/// [io.fairlead.proxy.core.DataPlaneException].
public interface DummyInterface extends AutoCloseable {
  String NAME = "kube-ipvs0";

  /// Makes the interface when it is missing.
  ///
  /// @return whether it had to be made
  boolean ensure();

  /// Whether the interface is there.
  boolean isThere();

  /// The addresses it holds; none when it is missing.
  Set<IpAddress> addresses();

  /// The addresses of the node's other interfaces, without loopback and link-local ones.
  Set<IpAddress> nodeAddresses();

  /// Gives it an address; fine when it has it.
  void add(IpAddress address);

  /// Takes an address away; fine when it is not there.
  void remove(IpAddress address);

  /// Takes all its addresses of this family away, and the interface itself when none of the other
  /// family is left. Fine when it is missing.
  void delete();

  /// Sets what runs when another program changes an address or an interface. The listener is called
  /// from another thread and must not block.
  void onForeignChange(Runnable listener);

  @Override
  void close();
}
