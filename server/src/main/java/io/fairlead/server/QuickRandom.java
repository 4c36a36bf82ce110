package io.fairlead.server;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// Randomness for what must be unique but need not be secret: uids, generated names, places in a
/// range. Takes no lock and calls no kernel, unlike [java.security.SecureRandom], from which tokens
/// and keys come. Safe for all threads.
final class QuickRandom implements RandomGenerator {
  static final QuickRandom INSTANCE = new QuickRandom();

  private QuickRandom() {}

  @Override
  public long nextLong() {
    return ThreadLocalRandom.current().nextLong();
  }

  /// A random UUID of version 4.
  UUID uuid() {
    long high = (nextLong() & ~0xF000L) | 0x4000L;
    long low = (nextLong() & ~(3L << 62)) | (1L << 63);
    return new UUID(high, low);
  }
}
