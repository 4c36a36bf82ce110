package io.fairlead.controller.endpoints;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Keeps an Endpoints object to the number of addresses its readers can bear. Pure.
///
/// Ready addresses go before others. Where not all fit, every subset keeps its share of them,
/// rounded up as long as there is space; the first in order stay.
final class Truncation {
  /// How many addresses one object may have.
  static final int LIMIT = 1000;

  private Truncation() {}

  /// The part that fits; empty when all does.
  static Optional<List<EndpointSubset>> of(List<EndpointSubset> subsets) {
    int ready = count(subsets, EndpointSubset::ready);
    int notReady = count(subsets, EndpointSubset::notReady);
    if (ready + notReady <= LIMIT) {
      return Optional.empty();
    }
    boolean fullOfReady = ready > LIMIT;
    int room = fullOfReady ? LIMIT : LIMIT - ready;
    int wanting = fullOfReady ? ready : notReady;
    int left = room;
    List<EndpointSubset> kept = new ArrayList<>();
    for (EndpointSubset subset : subsets) {
      List<EndpointAddress> cut = fullOfReady ? subset.ready() : subset.notReady();
      int share = Math.min(left, Math.ceilDiv(cut.size() * room, wanting));
      left -= share;
      List<EndpointAddress> some = cut.subList(0, share);
      EndpointSubset smaller =
          fullOfReady
              ? new EndpointSubset(some, List.of(), subset.ports())
              : new EndpointSubset(subset.ready(), some, subset.ports());
      if (!smaller.isEmpty()) {
        kept.add(smaller);
      }
    }
    return Optional.of(kept);
  }

  private static int count(
      List<EndpointSubset> subsets, Function<EndpointSubset, List<EndpointAddress>> part) {
    return subsets.stream().mapToInt(subset -> part.apply(subset).size()).sum();
  }
}
