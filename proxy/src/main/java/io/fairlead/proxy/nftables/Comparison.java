package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Element;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;

/// Finds out what leads from elements that are there to those that are wanted, while the wanted
/// ones come one by one: they are never all held at once. A key may come only once.
final class Comparison implements ElementSink, Changes {
  // What was there and nobody has wanted yet.
  private final Elements left;
  private final EnumMap<Container, List<Element>> deleted = new EnumMap<>(Container.class);
  private final EnumMap<Container, List<Element>> added = new EnumMap<>(Container.class);

  /// @param there is used up
  Comparison(Elements there) {
    this.left = there;
  }

  @Override
  public void put(Container container, Element wanted) {
    Element was = left.take(container, wanted.key());
    if (was != null && was.sameAs(wanted)) {
      return;
    }
    if (was != null) {
      add(deleted, container, was);
    }
    add(added, container, wanted);
  }

  /// To be called when all wanted ones have come.
  Changes finish() {
    left.forEach((container, element) -> add(deleted, container, element));
    return this;
  }

  private static void add(
      EnumMap<Container, List<Element>> elements, Container container, Element element) {
    elements.computeIfAbsent(container, _ -> new ArrayList<>()).add(element);
  }

  @Override
  public List<Element> deleted(Container container) {
    return deleted.getOrDefault(container, List.of());
  }

  @Override
  public List<Element> added(Container container) {
    return added.getOrDefault(container, List.of());
  }
}
