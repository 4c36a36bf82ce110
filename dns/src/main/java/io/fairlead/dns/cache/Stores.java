package io.fairlead.dns.cache;

/// Both kinds of kept answers. They outlive a reload that does not change the cache's options.
final class Stores implements AutoCloseable {
  /// Together, spec/dns.md 2.9.
  private static final long MOST_BYTES = 16L << 20;

  private final Store success;
  private final Store denial;

  Stores(CacheOptions options) {
    success = new Store(options.success().capacity(), MOST_BYTES / 2);
    denial = new Store(options.denial().capacity(), MOST_BYTES / 2);
  }

  Store success() {
    return success;
  }

  Store denial() {
    return denial;
  }

  @Override
  public void close() {
    // Memory only.
  }
}
