package io.fairlead.agent.lifecycle;

import io.fairlead.work.Backoff;
import java.time.Duration;

/// How patient a pod's worker is.
///
/// @param crash the waits of a container that ended
/// @param image the waits of an image that could not be pulled
/// @param making the waits of a volume, sandbox or container that could not be made
/// @param resync how often it looks though nothing happened
/// @param retry the wait after something else failed
public record PodWorkerSettings(
    Backoff crash, Backoff image, Backoff making, Duration resync, Duration retry) {
  private static final Backoff STANDARD =
      new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(300));

  public static final PodWorkerSettings DEFAULT =
      new PodWorkerSettings(
          STANDARD,
          STANDARD,
          new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10)),
          Duration.ofSeconds(60),
          Duration.ofSeconds(10));
}
