package io.fairlead.controller.workload;

import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// Time that passes when the test says so.
public final class ManualClock implements InstantSource, Ticker {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();

  public void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Override
  public Instant instant() {
    return BEGIN.plusNanos(nanos.get());
  }

  /// No two looks at it give the same time, as with a real one.
  @Override
  public long nanos() {
    return nanos.get() + looks.incrementAndGet();
  }
}
