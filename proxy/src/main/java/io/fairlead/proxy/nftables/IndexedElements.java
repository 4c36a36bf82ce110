package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.SetElement;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Elements by container and key.
final class IndexedElements implements ElementSink {
  private final EnumMap<ProxySet, Map<NftData, SetElement>> elements =
      new EnumMap<>(ProxySet.class);

  @Override
  public void put(ProxySet container, SetElement element) {
    elements.computeIfAbsent(container, _ -> new LinkedHashMap<>()).put(element.key(), element);
  }

  Map<NftData, SetElement> of(ProxySet container) {
    return elements.getOrDefault(container, Map.of());
  }

  /// Puts all elements of a container at once; they are this object's from now on.
  void putAll(ProxySet container, Map<NftData, SetElement> all) {
    elements.put(container, all);
  }

  /// Takes an element out; null when there is none with that key.
  @Nullable SetElement take(ProxySet container, NftData key) {
    Map<NftData, SetElement> map = elements.get(container);
    return map == null ? null : map.remove(key);
  }

  void forEach(ElementSink sink) {
    elements.forEach((container, map) -> map.values().forEach(each -> sink.put(container, each)));
  }

  int size() {
    return elements.values().stream().mapToInt(Map::size).sum();
  }
}
