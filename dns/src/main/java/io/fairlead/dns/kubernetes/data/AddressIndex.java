package io.fairlead.dns.kubernetes.data;

import io.fairlead.api.net.IpAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Knows whether some known address begins with given bits, for names such as `96.10.in-addr.arpa`
/// above those that have records.
///
/// How it works: a sorted array, rebuilt on a query after the addresses have changed. Such queries
/// are few, so the changes themselves cost nothing; a flood of such queries makes one array for
/// each change. Safe for any thread.
final class AddressIndex {
  private record Sorted(long version, List<IpAddress> addresses) {}

  private final ClusterTables tables;
  private volatile Sorted sorted = new Sorted(-1, List.of());

  AddressIndex(ClusterTables tables) {
    this.tables = tables;
  }

  /// Whether there is an address from `first` to `last`, both of one family.
  boolean any(IpAddress first, IpAddress last) {
    List<IpAddress> all = current();
    int found = Collections.binarySearch(all, first);
    int at = found < 0 ? -found - 1 : found;
    return at < all.size() && all.get(at).compareTo(last) <= 0;
  }

  private List<IpAddress> current() {
    Sorted known = sorted;
    if (known.version() == tables.version()) {
      return known.addresses();
    }
    synchronized (this) {
      long version = tables.version();
      if (sorted.version() != version) {
        List<IpAddress> all = new ArrayList<>();
        tables.forEachAddress(all::add);
        Collections.sort(all);
        sorted = new Sorted(version, all);
      }
      return sorted.addresses();
    }
  }
}
