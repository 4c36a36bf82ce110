package io.fairlead.proxy.core;

import io.fairlead.api.net.IpAddress;
import java.util.List;

/// On which addresses of the node its node ports answer.
public sealed interface NodePortAddresses {

  /// On every local address.
  record All() implements NodePortAddresses {}

  /// On these, which are addresses of this node.
  record Only(List<IpAddress> addresses) implements NodePortAddresses {
    public Only {
      addresses = List.copyOf(addresses);
    }
  }
}
