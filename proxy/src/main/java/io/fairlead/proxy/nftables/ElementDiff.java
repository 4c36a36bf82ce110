package io.fairlead.proxy.nftables;

import io.fairlead.kernel.nftables.NftData;
import io.fairlead.kernel.nftables.SetElement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The elements to delete and to add that lead from those a table holds to those it shall hold. A
/// change of a few Services and the repair of a whole table are computed the same way; only what
/// the elements before are taken from differs: the last plan, or the kernel.
///
/// How it works: the wanted elements come one by one and are never all held at once. Each takes the
/// element of its key out of those before; what is left at the end is deleted. Owned by the plane's
/// thread.
final class ElementDiff implements ElementSink {
  // What was there and has not come yet as wanted.
  private final IndexedElements left;
  private final EnumMap<ProxySet, List<SetElement>> deleted = new EnumMap<>(ProxySet.class);
  private final EnumMap<ProxySet, List<SetElement>> added = new EnumMap<>(ProxySet.class);

  /// @param before is used up
  ElementDiff(IndexedElements before) {
    this.left = before;
  }

  /// Takes a wanted element. Each key of a set may come once.
  @Override
  public void put(ProxySet set, SetElement wanted) {
    SetElement was = left.take(set, wanted.key());
    if (was != null) {
      if (was.sameAs(wanted)) {
        return;
      }
      append(deleted, set, was);
    }
    append(added, set, wanted);
  }

  /// To be called when all wanted elements have come.
  ElementDiff finish() {
    left.forEach((set, element) -> append(deleted, set, element));
    return this;
  }

  List<SetElement> deleted(ProxySet set) {
    return deleted.getOrDefault(set, List.of());
  }

  List<SetElement> added(ProxySet set) {
    return added.getOrDefault(set, List.of());
  }

  /// Changes the added elements of a set that take the place of deleted ones.
  void mapReplacing(ProxySet set, UnaryOperator<SetElement> change) {
    List<SetElement> fresh = added(set);
    if (fresh.isEmpty() || deleted(set).isEmpty()) {
      return;
    }
    Set<NftData> gone = new HashSet<>();
    deleted(set).forEach(element -> gone.add(element.key()));
    fresh.replaceAll(element -> gone.contains(element.key()) ? change.apply(element) : element);
  }

  private static void append(
      EnumMap<ProxySet, List<SetElement>> elements, ProxySet set, SetElement element) {
    elements.computeIfAbsent(set, _ -> new ArrayList<>()).add(element);
  }
}
