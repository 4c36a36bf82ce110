package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Element;
import java.util.List;

/// Elements to delete and elements to add.
interface Changes {
  List<Element> deleted(Container container);

  List<Element> added(Container container);
}
