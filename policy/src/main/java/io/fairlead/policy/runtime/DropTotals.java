package io.fairlead.policy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.PolicyTable;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Totals of what the kernel dropped, which only grow: a counter in the kernel goes with its pod,
/// and starts again at zero when its element is rewritten. Owned by the thread that reads the
/// counters.
final class DropTotals {
  private static final IpAddress NO_IPV4 = IpAddress.parse("0.0.0.0");
  private static final IpAddress NO_IPV6 = IpAddress.parse("::");

  /// One counter of the kernel.
  private record Place(IpAddress.Family family, String what, IpAddress address) {}

  /// Whose drops they are.
  record Series(String namespace, Direction direction) {}

  private Map<Place, Long> last = new HashMap<>();
  private final Map<Series, Long> drops = new HashMap<>();
  private long unknown;
  private long spoofed;

  /// Takes over what the tables count now.
  ///
  /// @param namespaces of the pod that has an address
  void look(
      Map<IpAddress.Family, PolicyTable.Counters> tables,
      Function<IpAddress, Optional<String>> namespaces) {
    Map<Place, Long> now = new HashMap<>();
    tables.forEach(
        (family, counters) -> {
          IpAddress none = family == IpAddress.Family.IPV4 ? NO_IPV4 : NO_IPV6;
          unknown += more(now, new Place(family, "unknown", none), counters.unknown());
          spoofed += more(now, new Place(family, "spoofed", none), counters.spoofed());
          counters
              .drops()
              .forEach(
                  (direction, byAddress) ->
                      byAddress.forEach(
                          (address, packets) -> {
                            long grown =
                                more(now, new Place(family, direction.name(), address), packets);
                            namespaces
                                .apply(address)
                                .ifPresent(
                                    namespace ->
                                        drops.merge(
                                            new Series(namespace, direction), grown, Long::sum));
                          }));
        });
    last = now;
  }

  private long more(Map<Place, Long> now, Place place, long packets) {
    now.put(place, packets);
    long before = last.getOrDefault(place, 0L);
    return packets >= before ? packets - before : packets;
  }

  Map<Series, Long> drops() {
    return Map.copyOf(drops);
  }

  long unknown() {
    return unknown;
  }

  long spoofed() {
    return spoofed;
  }
}
