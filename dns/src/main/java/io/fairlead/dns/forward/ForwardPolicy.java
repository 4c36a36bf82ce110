package io.fairlead.dns.forward;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// Which upstream is asked first; the others follow when it fails.
enum ForwardPolicy {
  RANDOM,
  ROUND_ROBIN,
  SEQUENTIAL;

  /// The upstreams in the order in which to ask them.
  ///
  /// @param turn counts queries, for taking turns
  <T> List<T> order(List<T> upstreams, AtomicInteger turn, RandomGenerator random) {
    List<T> order = new ArrayList<>(upstreams);
    switch (this) {
      case SEQUENTIAL -> {}
      case ROUND_ROBIN ->
          Collections.rotate(order, -Math.floorMod(turn.getAndIncrement(), order.size()));
      case RANDOM -> {
        for (int i = order.size() - 1; i > 0; i--) {
          Collections.swap(order, i, random.nextInt(i + 1));
        }
      }
    }
    return order;
  }
}
