package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.Element;

/// Finds out what leads from elements that are there to those that are wanted, while the wanted
/// ones come one by one: they are never all held at once. A key may come only once.
final class Comparison implements ElementSink {
  // What was there and nobody has wanted yet.
  private final Elements left;
  private final Delta delta = new Delta();

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
      delta.delete(container, was);
    }
    delta.add(container, wanted);
  }

  /// The difference, when all wanted ones have come.
  Delta finish() {
    left.forEach(delta::delete);
    return delta;
  }
}
