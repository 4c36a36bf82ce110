package io.fairlead.server.flowcontrol;

import io.fairlead.work.Ticker;
import java.time.Duration;

/// A clock that goes when the test says so.
final class ManualTicker implements Ticker {
  private long now;

  void advance(Duration time) {
    now += time.toNanos();
  }

  @Override
  public long nanos() {
    return now;
  }
}
