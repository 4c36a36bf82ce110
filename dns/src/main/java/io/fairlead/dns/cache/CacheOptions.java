package io.fairlead.dns.cache;

import io.fairlead.dns.corefile.DnsZones;
import java.time.Duration;

/// What the Corefile says about a cache.
record CacheOptions(
    DnsZones zones,
    Limits success,
    Limits denial,
    Duration servfail,
    Prefetch prefetch,
    Stale stale,
    boolean keepTtl) {

  /// How answers of one kind are kept.
  ///
  /// @param most the longest time
  /// @param least the shortest time
  /// @param disabled names that are not kept
  record Limits(int capacity, Duration most, Duration least, DnsZones disabled) {}

  /// @param amount hits that make an entry popular; 0 for never
  /// @param gap hits further apart do not count
  /// @param percentage of the time to live that is left when an entry is fetched again
  record Prefetch(int amount, Duration gap, int percentage) {}

  /// What happens to entries past their time.
  ///
  /// @param window how long they are still good enough; zero when they never are
  /// @param verify ask first, and use the old answer only when that fails
  /// @param timeout how long to ask; zero for as long as it takes
  /// @param ttl shown to clients
  /// @param recheck how long to wait between two attempts to renew an entry
  record Stale(
      Duration window,
      boolean verify,
      Duration timeout,
      int ttl,
      Duration recheck,
      boolean preferPositive) {
    boolean on() {
      return window.isPositive();
    }
  }
}
