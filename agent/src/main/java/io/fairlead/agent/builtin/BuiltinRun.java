package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.ContainerInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One run of a container, from its making to its end. Guarded by its own lock.
final class BuiltinRun {
  private final @Nullable ContainerConfig config;
  // Guarded by this.
  private ContainerInfo info;
  private Workload.@Nullable Running running;
  private @Nullable LogFile log;
  private @Nullable ScheduledFuture<?> force;
  private Instant forceAt = Instant.MAX;

  /// @param config null for a run of an earlier program
  BuiltinRun(@Nullable ContainerConfig config, ContainerInfo info) {
    this.config = config;
    this.info = info;
  }

  /// Empty for a run of an earlier program.
  Optional<ContainerConfig> config() {
    return Optional.ofNullable(config);
  }

  synchronized ContainerInfo info() {
    return info;
  }

  /// Its workload while that runs.
  synchronized Optional<Workload.Running> running() {
    return Optional.ofNullable(running);
  }

  synchronized ContainerInfo begun(Workload.Running workload, LogFile output, Instant now) {
    running = workload;
    log = output;
    info = info.begun(now);
    return info;
  }

  synchronized ContainerInfo over(int code, Instant now) {
    if (force != null) {
      force.cancel(false);
    }
    running = null;
    info = info.ended(code, code == 0 ? "Completed" : "Error", "", now);
    return info;
  }

  /// Its output goes to a new file from now on.
  synchronized void reopenLog() {
    if (running != null && log != null) {
      log.reopen();
    }
  }

  /// Asks it to end, and forces it when the grace is over. Asked again, the shorter grace counts.
  void stop(Duration grace, Instant now, ScheduledExecutorService timer) {
    Workload.Running asked;
    synchronized (this) {
      asked = running;
      if (asked == null) {
        return;
      }
      Instant at = now.plus(grace);
      if (at.isBefore(forceAt)) {
        if (force != null) {
          force.cancel(false);
        }
        forceAt = at;
        force = timer.schedule(this::force, Math.max(0, grace.toMillis()), TimeUnit.MILLISECONDS);
      }
    }
    asked.ask();
  }

  /// Ends it at once and waits for that.
  void force() {
    running()
        .ifPresent(
            one -> {
              one.force();
              one.end().join();
            });
  }
}
