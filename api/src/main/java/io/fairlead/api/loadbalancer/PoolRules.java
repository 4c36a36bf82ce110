package io.fairlead.api.loadbalancer;

import io.fairlead.api.net.Cidr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which ranges can never be given to a Service.
final class PoolRules {
  /// A range of which none of a pool may have a part, and why.
  private record Unusable(PoolRange range, String why) {
    Unusable(String cidr, String why) {
      this(PoolRange.of(Cidr.parse(cidr)), why);
    }
  }

  private static final List<Unusable> UNUSABLE =
      List.of(
          new Unusable("0.0.0.0/8", "unspecified"),
          new Unusable("127.0.0.0/8", "loopback"),
          new Unusable("169.254.0.0/16", "link-local"),
          new Unusable("224.0.0.0/4", "multicast"),
          new Unusable("255.255.255.255/32", "broadcast"),
          new Unusable("::/128", "unspecified"),
          new Unusable("::1/128", "loopback"),
          new Unusable("::ffff:0:0/96", "IPv4-mapped"),
          new Unusable("fe80::/10", "link-local"),
          new Unusable("ff00::/8", "multicast"));

  private PoolRules() {}

  /// Reads the ranges of a pool.
  ///
  /// @throws IllegalArgumentException with what is wrong
  static List<PoolRange> ranges(List<String> texts) {
    List<PoolRange> ranges = new ArrayList<>();
    for (String text : texts) {
      PoolRange range = PoolRange.parse(text);
      Optional<Unusable> bad =
          UNUSABLE.stream().filter(one -> one.range().overlaps(range)).findFirst();
      if (bad.isPresent()) {
        throw new IllegalArgumentException(
            range + " has " + bad.get().why() + " addresses, which no Service can have");
      }
      for (PoolRange other : ranges) {
        if (other.overlaps(range)) {
          throw new IllegalArgumentException(range + " overlaps " + other + " of the same pool");
        }
      }
      ranges.add(range);
    }
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException("it has no addresses");
    }
    return ranges;
  }
}
