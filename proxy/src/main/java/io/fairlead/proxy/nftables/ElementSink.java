package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.SetElement;

/// Takes elements one after another.
interface ElementSink {
  void put(ProxySet container, SetElement element);
}
