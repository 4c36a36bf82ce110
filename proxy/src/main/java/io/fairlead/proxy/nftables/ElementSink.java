package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Element;

/// Takes elements one after another.
interface ElementSink {
  void put(Container container, Element element);
}
