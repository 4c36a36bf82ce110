package io.fairlead.agent.lifecycle;

import io.fairlead.agent.runtime.ContainerRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// The end of one running container: its hook first, then the signal, then force.
///
/// The hook's time is taken from the grace; one that is not done when the grace is over is left
/// alone. After the signal the container always gets two seconds.
final class ContainerStop {
  private static final Duration LEAST = Duration.ofSeconds(2);

  private final String id;
  private Instant deadline;
  private boolean hooking;
  private boolean signalled;

  /// @param hook a hook was started, whose end [#hookDone] reports
  ContainerStop(String id, Instant deadline, boolean hook) {
    this.id = id;
    this.deadline = deadline;
    this.hooking = hook;
  }

  void hookDone() {
    hooking = false;
  }

  /// Brings the end forward; a later one is ignored.
  void shorten(Instant other, ContainerRuntime runtime, Instant now) {
    if (other.isBefore(deadline)) {
      deadline = other;
      if (signalled) {
        runtime.stop(id, remaining(now));
      }
    }
  }

  /// Does what is due.
  ///
  /// @return when something is due again; empty when only the container's end is awaited
  Optional<Instant> step(ContainerRuntime runtime, Instant now) {
    if (signalled) {
      return Optional.empty();
    }
    if (hooking && now.isBefore(deadline)) {
      return Optional.of(deadline);
    }
    signalled = true;
    runtime.stop(id, remaining(now));
    return Optional.empty();
  }

  private Duration remaining(Instant now) {
    Duration left = Duration.between(now, deadline);
    return left.compareTo(LEAST) < 0 ? LEAST : left;
  }
}
