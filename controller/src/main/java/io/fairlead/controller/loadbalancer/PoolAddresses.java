package io.fairlead.controller.loadbalancer;

import io.fairlead.api.loadbalancer.LoadBalancerPool;
import io.fairlead.api.loadbalancer.PoolRange;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.net.IpAddress.Family;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Which addresses of a pool are taken, in one family, and the lowest that is not.
///
/// How it works: the ranges of the pool, one behind the other, are numbered; a bit for each number
/// says whether it is taken. Below `lowest` all are, so that finding a free one does not begin at
/// the start again each time. A pool larger than [#MOST] is used from its start only.
///
/// Not safe for several threads.
final class PoolAddresses {
  /// So many addresses of a pool are counted.
  static final int MOST = 1 << 20;

  /// @param number of its first address
  private record Segment(PoolRange range, int number, int size) {}

  private final List<Segment> segments = new ArrayList<>();
  private final BitSet taken = new BitSet();
  private final int size;
  private int unusable;
  private int count;
  private int lowest;

  PoolAddresses(LoadBalancerPool pool, Family family) {
    int number = 0;
    for (PoolRange range : pool.ranges()) {
      if (range.family() == family && number < MOST) {
        int length = (int) Math.min(range.size(), MOST - number);
        segments.add(new Segment(range, number, length));
        number += length;
      }
    }
    this.size = number;
    if (pool.avoidEdgeAddresses() && family == Family.IPV4) {
      for (int i = 0; i < size; i++) {
        if (LoadBalancerPool.isEdge(at(i))) {
          taken.set(i);
          unusable++;
          count++;
        }
      }
    }
  }

  boolean isEmpty() {
    return size == 0;
  }

  /// How many addresses can be given out.
  int usable() {
    return size - unusable;
  }

  /// How many of them are not taken.
  int free() {
    return size - count;
  }

  void take(IpAddress address) {
    int number = numberOf(address);
    if (number >= 0 && !taken.get(number)) {
      taken.set(number);
      count++;
    }
  }

  void free(IpAddress address) {
    int number = numberOf(address);
    if (number >= 0 && taken.get(number)) {
      taken.clear(number);
      count--;
      lowest = Math.min(lowest, number);
    }
  }

  /// The lowest address that is not taken and that passes.
  Optional<IpAddress> lowest(Predicate<IpAddress> passes) {
    lowest = taken.nextClearBit(lowest);
    for (int i = lowest; i < size; i = taken.nextClearBit(i + 1)) {
      IpAddress address = at(i);
      if (passes.test(address)) {
        return Optional.of(address);
      }
    }
    return Optional.empty();
  }

  private IpAddress at(int number) {
    for (Segment segment : segments) {
      if (number < segment.number() + segment.size()) {
        return segment.range().first().plus(number - segment.number());
      }
    }
    throw new IllegalArgumentException("no address " + number);
  }

  private int numberOf(IpAddress address) {
    for (Segment segment : segments) {
      if (segment.range().contains(address)) {
        long place = segment.range().first().distanceTo(address);
        return place < segment.size() ? segment.number() + (int) place : -1;
      }
    }
    return -1;
  }
}
