package io.fairlead.agent.probe;

import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.runtime.ContainerInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Decides when one probe of one container is due and what the answers amount to. Owned by the
/// pod's worker; sends no probe itself.
///
/// How it works: answers of the same kind are counted; only when as many came in a row as the
/// threshold says, the result changes. A new run of the container begins from the start. A liveness
/// or startup failure holds the worker until the container was replaced, so one illness is one
/// kill.
public final class ProbeWorker {
  /// What is known.
  public enum Result {
    UNKNOWN,
    SUCCESS,
    FAILURE
  }

  private final Probe probe;
  private final Probe.Kind kind;
  private Result result;
  private String containerId = "";
  private boolean hold;
  private boolean asking;
  private int run;
  private @Nullable Result lastAnswer;
  private Instant due = Instant.EPOCH;

  public ProbeWorker(Probe probe, Probe.Kind kind) {
    this.probe = probe;
    this.kind = kind;
    this.result = initial(kind);
  }

  private static Result initial(Probe.Kind kind) {
    return switch (kind) {
      case READINESS -> Result.FAILURE;
      case LIVENESS -> Result.SUCCESS;
      case STARTUP -> Result.UNKNOWN;
    };
  }

  public Probe probe() {
    return probe;
  }

  public Result result() {
    return result;
  }

  /// Takes over a container that ran before this agent did.
  ///
  /// @param known what was known of it; its first answer decides
  /// @param wait until the first question, so that not all are asked at once
  public void adopt(String id, Result known, Instant now, Duration wait) {
    containerId = id;
    result = known;
    due = now.plus(wait);
  }

  /// Looks at the container.
  ///
  /// @param started its startup probe has passed, or there is none
  /// @param ending the pod is on its way out
  /// @return when to look again if nothing happens; now or earlier means: ask, and give the answer
  ///   to [#answered]. Empty for never.
  public Optional<Instant> look(
      @Nullable ContainerInfo container, boolean started, boolean ending, Instant now) {
    if (container == null || !container.running()) {
      if (kind == Probe.Kind.READINESS) {
        result = Result.FAILURE;
      }
      return Optional.empty();
    }
    if (!container.id().equals(containerId)) {
      begin(container.id(), now);
    }
    if (kind != Probe.Kind.READINESS && ending) {
      result = Result.SUCCESS;
      return Optional.empty();
    }
    boolean resting = kind == Probe.Kind.STARTUP && result == Result.SUCCESS;
    if (hold || asking || resting || (kind != Probe.Kind.STARTUP && !started)) {
      return Optional.empty();
    }
    Instant earliest = container.startedAt().plus(probe.initialDelay());
    Instant next = due.isAfter(earliest) ? due : earliest;
    if (!next.isAfter(now)) {
      asking = true;
      due = now.plus(probe.period());
      return Optional.of(now);
    }
    return Optional.of(next);
  }

  private void begin(String id, Instant now) {
    containerId = id;
    result = initial(kind);
    hold = false;
    asking = false;
    run = 0;
    lastAnswer = null;
    due = now;
  }

  /// Takes an answer. One about an earlier run of the container counts for nothing.
  ///
  /// @return whether the result changed, or a liveness or startup failure is to be acted on
  public boolean answered(String id, ProbeOutcome outcome) {
    if (!id.equals(containerId)) {
      return false;
    }
    asking = false;
    Result answer;
    switch (outcome) {
      case ProbeOutcome.Success _ -> answer = Result.SUCCESS;
      case ProbeOutcome.Failure _ -> answer = Result.FAILURE;
      case ProbeOutcome.Unknown _ -> {
        return false;
      }
    }
    run = answer == lastAnswer ? run + 1 : 1;
    lastAnswer = answer;
    int threshold = answer == Result.SUCCESS ? probe.successThreshold() : probe.failureThreshold();
    if (hold || run < threshold) {
      return false;
    }
    boolean changed = result != answer;
    result = answer;
    if (answer == Result.FAILURE && kind != Probe.Kind.READINESS) {
      hold = true;
      run = 0;
      return true;
    }
    return changed;
  }
}
