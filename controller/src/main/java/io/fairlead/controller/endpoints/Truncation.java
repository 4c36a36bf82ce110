package io.fairlead.controller.endpoints;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Keeps an Endpoints object to the number of addresses its readers can bear. Pure.
///
/// Ready addresses go before others. Where not all fit, every subset keeps its share of them,
/// rounded up as long as there is room; the first in order stay.
final class Truncation {
  /// How many addresses one object may have.
  static final int LIMIT = 1000;

  private Truncation() {}

  /// The part that fits; empty when all does.
  static Optional<List<Subset>> of(List<Subset> subsets) {
    int ready = count(subsets, Subset::ready);
    int notReady = count(subsets, Subset::notReady);
    if (ready + notReady <= LIMIT) {
      return Optional.empty();
    }
    boolean fullOfReady = ready > LIMIT;
    int room = fullOfReady ? LIMIT : LIMIT - ready;
    int wanting = fullOfReady ? ready : notReady;
    int left = room;
    List<Subset> kept = new ArrayList<>();
    for (Subset subset : subsets) {
      List<Address> cut = fullOfReady ? subset.ready() : subset.notReady();
      int share = Math.min(left, Math.ceilDiv(cut.size() * room, wanting));
      left -= share;
      List<Address> some = cut.subList(0, share);
      Subset smaller =
          fullOfReady
              ? new Subset(some, List.of(), subset.ports())
              : new Subset(subset.ready(), some, subset.ports());
      if (!smaller.isEmpty()) {
        kept.add(smaller);
      }
    }
    return Optional.of(kept);
  }

  private static int count(List<Subset> subsets, Function<Subset, List<Address>> part) {
    return subsets.stream().mapToInt(subset -> part.apply(subset).size()).sum();
  }
}
