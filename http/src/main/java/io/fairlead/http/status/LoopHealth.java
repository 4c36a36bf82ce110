package io.fairlead.http.status;

import io.fairlead.work.LoopRegistry;
import io.fairlead.work.LoopStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The health check `loops`: which background loops have not had a good step for a minute.
///
/// It informs and decides nothing: a failing loop tries again by itself, and a restart of the
/// process would seldom help (the failure is a full disk, a missing kernel feature, a server that
/// is away) but would stop all that works. So pages show its text while their status code, which
/// kubelet and load balancers act on, does not follow it. Alerts watch
/// `fairlead_loop_restarts_total`.
public final class LoopHealth {
  /// The name of the check.
  public static final String NAME = "loops";

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private LoopHealth() {}

  /// Each failing kind of loop with the type of its last failure; empty while all work.
  public static Optional<String> problem() {
    return problem(LoopRegistry.failingFor(PATIENCE));
  }

  static Optional<String> problem(List<LoopStatus> failing) {
    if (failing.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    for (LoopStatus loop : failing) {
      text.append(text.isEmpty() ? "" : "; ").append(loop.kind());
      text.append(" fails since ").append(loop.failingSince());
      text.append(" (").append(failure(String.valueOf(loop.lastFailure()))).append(')');
    }
    return Optional.of(text.toString());
  }

  /// The line of a page that lists checks.
  public static String line() {
    return problem().map(why -> "[!]" + NAME + " degraded: " + why).orElse("[+]" + NAME + " ok");
  }

  /// The type of a failure. Health pages are open to all clients; the message, which may hold paths
  /// and addresses, is in the log.
  private static String failure(String text) {
    int colon = text.indexOf(':');
    return colon < 0 ? text : text.substring(0, colon);
  }
}
