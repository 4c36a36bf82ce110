package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.SandboxInfo;
import io.fairlead.agent.status.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Holds the containers of a new sandbox back until the policies that select the pod are in force.
/// Owned by the pod's worker.
///
/// How it works: the status with the pod's addresses goes to the API first. Its version is what the
/// policy component of the node must show. While none lives, the pod is held for as long as it
/// takes; one that lives and does not show the pod in time keeps it closed in the kernel, so the
/// pod starts.
final class PolicyWait {
  /// A component that starts at the same time as the pod is not missed yet.
  private static final Duration NOTICE = Duration.ofSeconds(1);

  private static final Duration REMINDER = Duration.ofSeconds(30);
  private static final Duration LATE = Duration.ofSeconds(10);

  private final PodWorkerDependencies dependencies;
  private @Nullable String sandbox;
  private boolean over;
  private @Nullable Instant behindSince;
  private @Nullable Instant nextEvent;

  PolicyWait(PodWorkerDependencies dependencies) {
    this.dependencies = dependencies;
  }

  /// When to look again at the latest; empty when containers may start.
  Optional<Instant> until(Pod pod, PodView view, SandboxInfo current, Instant now) {
    if (!current.id().equals(sandbox)) {
      sandbox = current.id();
      behindSince = null;
      nextEvent = null;
      // What has run here was let go before: by this agent or by the one before it.
      over =
          pod.hostNetwork()
              || view.containers().stream().anyMatch(run -> run.sandbox().equals(current.id()));
    }
    if (over) {
      return Optional.empty();
    }
    Optional<String> version = dependencies.reports().acceptedVersion(pod, current.addresses());
    return switch (dependencies.policies().of(pod, version)) {
      case NOT_AWAITED, IN_FORCE -> {
        over = true;
        yield Optional.empty();
      }
      case BEHIND -> behind(pod, version, now);
      case ABSENT -> absent(pod, version, now);
    };
  }

  private Optional<Instant> behind(Pod pod, Optional<String> version, Instant now) {
    hurry(pod, version);
    if (behindSince == null) {
      behindSince = now;
    }
    Instant late = behindSince.plus(LATE);
    if (now.isBefore(late)) {
      return Optional.of(late);
    }
    over = true;
    event(
        pod,
        "PolicyLate",
        "The policy component of this node has not shown the pod within "
            + LATE.toSeconds()
            + " s; its containers start, and it stays closed until its policies are in force");
    return Optional.empty();
  }

  private Optional<Instant> absent(Pod pod, Optional<String> version, Instant now) {
    hurry(pod, version);
    behindSince = null;
    if (nextEvent == null) {
      nextEvent = now.plus(NOTICE);
    }
    if (!now.isBefore(nextEvent)) {
      nextEvent = now.plus(REMINDER);
      event(
          pod,
          "PolicyNotReady",
          "Waiting for the policy component of this node, which does not report: without it the pod"
              + " would be open. Start `fairlead policy`, or the agent with --policy=off");
    }
    return Optional.of(nextEvent);
  }

  private void hurry(Pod pod, Optional<String> version) {
    if (version.isEmpty()) {
      dependencies.reports().hurry(pod);
    }
  }

  private void event(Pod pod, String reason, String message) {
    dependencies.reports().event(pod, true, reason, message);
  }
}
