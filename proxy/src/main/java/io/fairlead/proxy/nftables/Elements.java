package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Elements by container and key.
final class Elements implements ElementSink {
  private final EnumMap<Container, Map<Bytes, Element>> elements = new EnumMap<>(Container.class);

  @Override
  public void put(Container container, Element element) {
    elements.computeIfAbsent(container, _ -> new LinkedHashMap<>()).put(element.key(), element);
  }

  Map<Bytes, Element> of(Container container) {
    return elements.getOrDefault(container, Map.of());
  }

  /// Puts all elements of a container at once; they are this object's from now on.
  void putAll(Container container, Map<Bytes, Element> all) {
    elements.put(container, all);
  }

  /// Takes an element out; null when there is none with that key.
  @Nullable Element take(Container container, Bytes key) {
    Map<Bytes, Element> map = elements.get(container);
    return map == null ? null : map.remove(key);
  }

  void forEach(ElementSink sink) {
    elements.forEach((container, map) -> map.values().forEach(each -> sink.put(container, each)));
  }

  int size() {
    return elements.values().stream().mapToInt(Map::size).sum();
  }
}
