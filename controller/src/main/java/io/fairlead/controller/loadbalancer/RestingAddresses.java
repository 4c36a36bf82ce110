package io.fairlead.controller.loadbalancer;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.ObjectKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/// Addresses that were given back a moment ago. Neighbours and clients may still connect them with
/// the Service that had them, so no other one gets them for a while.
///
/// Not safe for several threads; owned by an [BalancerAddressTable].
final class RestingAddresses {
  /// How long an address is not given to another Service.
  static final Duration REST = Duration.ofSeconds(30);

  /// @param last the Service that had it, and may have it back at once
  /// @param until by the ticker
  private record Rest(IpAddress address, ObjectKey last, long until) {}

  private final Map<IpAddress, Rest> rests = new HashMap<>();
  private final Map<ObjectKey, List<IpAddress>> byService = new HashMap<>();
  private final NavigableSet<Rest> byEnd =
      new TreeSet<>(Comparator.comparingLong(Rest::until).thenComparing(Rest::address));

  void begin(IpAddress address, ObjectKey last, long now) {
    end(address);
    Rest rest = new Rest(address, last, now + REST.toNanos());
    rests.put(address, rest);
    byEnd.add(rest);
    byService.computeIfAbsent(last, _ -> new ArrayList<>(1)).add(address);
  }

  void end(IpAddress address) {
    Rest rest = rests.remove(address);
    if (rest != null) {
      byEnd.remove(rest);
      byService.computeIfPresent(
          rest.last(),
          (_, list) -> {
            list.remove(address);
            return list.isEmpty() ? null : list;
          });
    }
  }

  /// Ends the rests that are over and returns their addresses.
  List<IpAddress> endAllDue(long now) {
    List<IpAddress> over = new ArrayList<>();
    while (!byEnd.isEmpty() && byEnd.getFirst().until() - now <= 0) {
      IpAddress address = byEnd.getFirst().address();
      end(address);
      over.add(address);
    }
    return over;
  }

  boolean contains(IpAddress address) {
    return rests.containsKey(address);
  }

  /// Whether a Service may not have it now.
  boolean blocks(IpAddress address, ObjectKey service) {
    Rest rest = rests.get(address);
    return rest != null && !rest.last().equals(service);
  }

  /// Those that a Service had.
  List<IpAddress> of(ObjectKey service) {
    return List.copyOf(byService.getOrDefault(service, List.of()));
  }

  Iterable<IpAddress> all() {
    return rests.keySet();
  }

  /// How long until the first of them has rested.
  Optional<Duration> next(long now) {
    return byEnd.isEmpty()
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.max(0, byEnd.getFirst().until() - now)));
  }

  /// How long an address still rests.
  Duration left(IpAddress address, long now) {
    Rest rest = rests.get(address);
    return rest == null ? Duration.ZERO : Duration.ofNanos(Math.max(0, rest.until() - now));
  }
}
