package io.fairlead.agent.testing;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What one run of a container in a [FakeRuntime] does.
///
/// @param endsAfter how long it runs by itself; null for ever
/// @param exitCode how it ends by itself
/// @param obeysAfter how long it takes to end when asked to; null when it does not listen
/// @param obeyCode how it ends then
/// @param startProblem why it cannot start; empty when it can
public record Behaviour(
    @Nullable Duration endsAfter,
    int exitCode,
    @Nullable Duration obeysAfter,
    int obeyCode,
    String startProblem) {
  /// Runs until it is asked to end, and then ends at once with 0.
  public static final Behaviour SERVES = new Behaviour(null, 0, Duration.ZERO, 0, "");

  public static Behaviour exits(int code, Duration after) {
    return new Behaviour(after, code, Duration.ZERO, 143, "");
  }

  public static Behaviour deaf() {
    return new Behaviour(null, 0, null, 0, "");
  }

  public static Behaviour obeys(int code, Duration after) {
    return new Behaviour(null, 0, after, code, "");
  }

  public static Behaviour cannotStart(String why) {
    return new Behaviour(null, 0, null, 0, why);
  }
}
