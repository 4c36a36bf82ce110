package io.fairlead.store.etcd;

/// Finds the revision up to which etcd has compacted, which no call of etcd returns.
///
/// How it works: reading at a revision fails exactly when it lies below the compacted one, and that
/// one only grows. So if the last answer can still be read it is still right, at the price of one
/// call; else a search between it and the newest revision finds the border.
final class CompactedRevision {
  private final EtcdClient client;
  private volatile long known;

  CompactedRevision(EtcdClient client) {
    this.client = client;
  }

  long find() {
    long low = known;
    if (client.readable(low)) {
      return low;
    }
    long high = client.revision();
    // Unreadable at low, readable at high (or compacted by now, then high is what we find).
    while (high - low > 1) {
      long middle = low + (high - low) / 2;
      if (client.readable(middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    known = high;
    return high;
  }
}
