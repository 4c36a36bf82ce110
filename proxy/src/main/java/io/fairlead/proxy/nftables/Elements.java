package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/// Elements by container and key.
final class Elements {
  private final EnumMap<Container, Map<Bytes, Element>> elements = new EnumMap<>(Container.class);

  void put(Container container, Element element) {
    elements.computeIfAbsent(container, _ -> new LinkedHashMap<>()).put(element.key(), element);
  }

  Map<Bytes, Element> of(Container container) {
    return elements.getOrDefault(container, Map.of());
  }

  void putAll(Elements others) {
    others.elements.forEach(
        (container, map) -> elements.computeIfAbsent(container, _ -> new HashMap<>()).putAll(map));
  }

  int size() {
    return elements.values().stream().mapToInt(Map::size).sum();
  }
}
