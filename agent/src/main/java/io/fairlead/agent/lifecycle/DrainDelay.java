package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.schema.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Holds the end of a deleted pod back until no proxy sends it new connections, for pods that ask
/// for it by the annotation `fairlead.dev/drain`. Owned by the pod's worker.
///
/// The time counts against the grace and is never more than half of it; `"true"` means two seconds
/// at most, a time such as `"10s"` that much.
final class DrainDelay {
  private static final Duration USUAL = Duration.ofSeconds(2);

  private final PodWorkerDependencies dependencies;
  private final Executor owner;
  private @Nullable Instant until;

  DrainDelay(PodWorkerDependencies dependencies, Executor owner) {
    this.dependencies = dependencies;
    this.owner = owner;
  }

  /// The pod is being deleted.
  void begin(Pod pod, Duration grace, Instant now) {
    Duration wanted = wanted(pod);
    Duration half = grace.dividedBy(2);
    Duration limit = wanted.compareTo(half) < 0 ? wanted : half;
    if (!limit.isPositive()) {
      return;
    }
    until = now.plus(limit);
    dependencies.tasks().drain(pod, limit, holders -> owner.execute(() -> over(pod, holders)));
  }

  private Duration wanted(Pod pod) {
    String text = pod.annotation(Pod.DRAIN);
    switch (text) {
      case "true" -> {
        return USUAL;
      }
      case "", "false" -> {
        return Duration.ZERO;
      }
      default -> {
        Long nanoseconds = Durations.nanoseconds(text);
        if (nanoseconds != null && nanoseconds >= 0) {
          return Duration.ofNanos(nanoseconds);
        }
        dependencies
            .reports()
            .event(
                pod,
                true,
                "InvalidDrain",
                "annotation "
                    + Pod.DRAIN
                    + " is \""
                    + text
                    + "\": want \"true\" or a time such as \"5s\"; not waiting for the proxies");
        return Duration.ZERO;
      }
    }
  }

  /// Brings the end forward; a longer grace is ignored.
  void shorten(Duration grace, Instant now) {
    Instant earlier = now.plus(grace.dividedBy(2));
    if (until != null && earlier.isBefore(until)) {
      until = earlier;
    }
  }

  /// Waits for no proxy any more.
  void drop() {
    until = null;
  }

  private void over(Pod pod, Optional<String> holders) {
    if (until != null) {
      until = null;
      holders.ifPresent(who -> given(pod, who));
    }
  }

  /// How long the pod is held at most; empty when it is not.
  Optional<Instant> until(Pod pod, Instant now) {
    if (until != null && !now.isBefore(until)) {
      until = null;
      given(pod, "proxies that did not answer in time");
    }
    return Optional.ofNullable(until);
  }

  private void given(Pod pod, String who) {
    dependencies
        .reports()
        .event(
            pod, true, "DrainIncomplete", "Ending while new connections may still come, by " + who);
  }
}
