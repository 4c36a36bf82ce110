package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Bytes;
import io.fairlead.kernel.nftables.Element;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Elements to delete and to add. Adding one that was to be deleted, or the other way round,
/// cancels out when they are the same.
final class Delta implements Changes {
  private final EnumMap<Container, Map<Bytes, Element>> deleted = new EnumMap<>(Container.class);
  private final EnumMap<Container, Map<Bytes, Element>> added = new EnumMap<>(Container.class);

  void delete(Container container, Element element) {
    Element waiting = of(added, container).remove(element.key());
    if (waiting == null) {
      of(deleted, container).put(element.key(), element);
    }
  }

  void add(Container container, Element element) {
    Element waiting = of(deleted, container).get(element.key());
    if (waiting != null && waiting.sameAs(element)) {
      of(deleted, container).remove(element.key());
      return;
    }
    of(added, container).put(element.key(), element);
  }

  /// What leads from one state of elements to another.
  void between(Elements before, Elements after) {
    for (Container container : Container.values()) {
      Map<Bytes, Element> old = before.of(container);
      Map<Bytes, Element> wanted = after.of(container);
      for (Element element : old.values()) {
        Element next = wanted.get(element.key());
        if (next == null || !next.sameAs(element)) {
          delete(container, element);
        }
      }
      for (Element element : wanted.values()) {
        Element was = old.get(element.key());
        if (was == null || !was.sameAs(element)) {
          add(container, element);
        }
      }
    }
  }

  @Override
  public List<Element> deleted(Container container) {
    return list(deleted, container);
  }

  @Override
  public List<Element> added(Container container) {
    return list(added, container);
  }

  /// Changes the elements of a container that take the place of others.
  void replaced(Container container, UnaryOperator<Element> change) {
    Map<Bytes, Element> old = of(deleted, container);
    of(added, container)
        .replaceAll((key, element) -> old.containsKey(key) ? change.apply(element) : element);
  }

  boolean isEmpty() {
    return deleted.values().stream().allMatch(Map::isEmpty)
        && added.values().stream().allMatch(Map::isEmpty);
  }

  private static List<Element> list(
      EnumMap<Container, Map<Bytes, Element>> elements, Container container) {
    Map<Bytes, Element> map = elements.get(container);
    return map == null ? List.of() : new ArrayList<>(map.values());
  }

  private static Map<Bytes, Element> of(
      EnumMap<Container, Map<Bytes, Element>> elements, Container container) {
    return elements.computeIfAbsent(container, _ -> new LinkedHashMap<>());
  }
}
