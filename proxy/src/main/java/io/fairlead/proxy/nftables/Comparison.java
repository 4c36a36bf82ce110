package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Element;
import java.util.List;

/// Finds out what leads from elements that are there to those that are wanted, while the wanted
/// ones come one by one: they are never all held at once. A key may come only once.
final class Comparison implements ElementSink, Changes {
  // What was there and nobody has wanted yet.
  private final Elements left;
  private final Batch deleted = new Batch();
  private final Batch added = new Batch();

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
      deleted.put(container, was);
    }
    added.put(container, wanted);
  }

  /// To be called when all wanted ones have come.
  Changes finish() {
    left.forEach(deleted);
    return this;
  }

  @Override
  public List<Element> deleted(Container container) {
    return deleted.of(container);
  }

  @Override
  public List<Element> added(Container container) {
    return added.of(container);
  }
}
