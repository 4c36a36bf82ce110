package io.fairlead.agent.lifecycle;

import io.fairlead.client.time.Backoff;
import java.time.Duration;

/// How patient a pod's worker is.
///
/// @param resync how often it looks though nothing happened
/// @param retry the wait after something failed
public record Settings(Backoff crash, Backoff image, Duration resync, Duration retry) {
  private static final Backoff STANDARD =
      new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(300));

  public static final Settings DEFAULT =
      new Settings(STANDARD, STANDARD, Duration.ofSeconds(60), Duration.ofSeconds(10));
}
