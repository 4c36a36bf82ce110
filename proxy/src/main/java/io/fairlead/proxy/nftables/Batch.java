package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Element;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;

/// Elements by container, in the order in which they came.
final class Batch implements ElementSink {
  private final EnumMap<Container, List<Element>> elements = new EnumMap<>(Container.class);

  @Override
  public void put(Container container, Element element) {
    elements.computeIfAbsent(container, _ -> new ArrayList<>()).add(element);
  }

  List<Element> of(Container container) {
    return elements.getOrDefault(container, List.of());
  }
}
