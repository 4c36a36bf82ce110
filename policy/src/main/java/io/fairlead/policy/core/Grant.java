package io.fairlead.policy.core;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// A set of ports that a peer may use: sorted ranges that neither overlap nor touch, so that equal
/// sets are equal.
///
/// @param everything all ports of all protocols, also of those that have no ports
public record Grant(boolean everything, List<Ports> ranges) {
  public static final Grant NOTHING = new Grant(false, List.of());
  public static final Grant EVERYTHING = new Grant(true, List.of());

  /// Ports of one protocol, both ends included.
  public record Ports(int protocol, int first, int last) {
    @Override
    public String toString() {
      return IpProtocol.text(protocol) + " " + (first == last ? "" + first : first + "-" + last);
    }
  }

  private static final Comparator<Ports> ORDER =
      Comparator.comparingInt(Ports::protocol).thenComparingInt(Ports::first);

  public Grant {
    ranges = everything ? List.of() : merged(ranges);
  }

  static Grant of(Collection<Ports> ranges) {
    return ranges.isEmpty() ? NOTHING : new Grant(false, List.copyOf(ranges));
  }

  private static List<Ports> merged(List<Ports> ranges) {
    if (ranges.size() < 2) {
      return List.copyOf(ranges);
    }
    List<Ports> sorted = ranges.stream().sorted(ORDER).toList();
    List<Ports> merged = new ArrayList<>();
    for (Ports next : sorted) {
      Ports last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && last.protocol() == next.protocol() && next.first() <= last.last() + 1) {
        merged.removeLast();
        merged.add(new Ports(last.protocol(), last.first(), Math.max(last.last(), next.last())));
      } else {
        merged.add(next);
      }
    }
    return List.copyOf(merged);
  }

  /// What all of them allow together; costs one sort, however many they are.
  static Grant unionOf(Collection<Grant> grants) {
    List<Ports> all = new ArrayList<>();
    for (Grant grant : grants) {
      if (grant.everything) {
        return EVERYTHING;
      }
      all.addAll(grant.ranges);
    }
    return of(all);
  }

  Grant union(Grant other) {
    if (everything || other.everything) {
      return EVERYTHING;
    }
    if (other.ranges.isEmpty()) {
      return this;
    }
    if (ranges.isEmpty()) {
      return other;
    }
    List<Ports> all = new ArrayList<>(ranges);
    all.addAll(other.ranges);
    return new Grant(false, all);
  }

  @Override
  public String toString() {
    return everything ? "everything" : ranges.isEmpty() ? "nothing" : ranges.toString();
  }
}
