package io.fairlead.dns.cache;

import io.fairlead.dns.plugin.Reply;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// One kept answer. Safe for any thread: counting hits is approximate under contention, which is
/// enough to recognise a popular name.
final class CacheEntry {
  private static final int RECORD_COST = 160;
  private static final int ENTRY_COST = 400;

  private final Reply reply;
  private final long stored;
  private final long lifetime;
  private final AtomicBoolean fetching = new AtomicBoolean();
  private final AtomicLong lastCheck = new AtomicLong(Long.MIN_VALUE);
  private volatile long lastHit;
  private volatile int hits;
  // Set by every hit, cleared by the eviction's hand.
  private volatile boolean used;

  CacheEntry(Reply reply, long now, Duration lifetime) {
    this.reply = reply;
    this.stored = now;
    this.lifetime = lifetime.toNanos();
    this.lastHit = now;
  }

  Reply reply() {
    return reply;
  }

  /// Nanoseconds that are left; negative when it is past its time.
  long left(long now) {
    return stored + lifetime - now;
  }

  long lifetime() {
    return lifetime;
  }

  /// A rough count of the bytes that it holds.
  int cost() {
    int records = reply.answer().size() + reply.authority().size() + reply.additional().size();
    return ENTRY_COST + records * RECORD_COST;
  }

  /// Counts a hit and returns how many came without a gap.
  int hit(long now, Duration gap) {
    used = true;
    int count = now - lastHit > gap.toNanos() ? 1 : hits + 1;
    hits = count;
    lastHit = now;
    return count;
  }

  boolean takeUsed() {
    boolean was = used;
    used = false;
    return was;
  }

  /// Whether the caller is the one to fetch it again.
  boolean claim() {
    return fetching.compareAndSet(false, true);
  }

  void release() {
    fetching.set(false);
  }

  /// Whether so much time has passed since the last attempt to renew it; counts as one if so.
  boolean mayCheck(long now, Duration pause) {
    long last = lastCheck.get();
    boolean due = last == Long.MIN_VALUE || now - last >= pause.toNanos();
    return due && lastCheck.compareAndSet(last, now);
  }
}
