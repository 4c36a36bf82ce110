package io.fairlead.dns.cache;

/// Both kinds of kept answers. They outlive a reload that does not change the cache's options.
final class CacheStores implements AutoCloseable {
  /// Together, spec/dns.md 2.9.
  private static final long MOST_BYTES = 16L << 20;

  private final CacheStore success;
  private final CacheStore denial;

  CacheStores(CacheOptions options) {
    success = new CacheStore(options.success().capacity(), MOST_BYTES / 2);
    denial = new CacheStore(options.denial().capacity(), MOST_BYTES / 2);
  }

  CacheStore success() {
    return success;
  }

  CacheStore denial() {
    return denial;
  }

  @Override
  public void close() {
    // Memory only.
  }
}
