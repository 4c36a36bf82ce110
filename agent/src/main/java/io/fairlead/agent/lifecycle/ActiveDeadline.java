package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.status.ContainerStateWaiting;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How long a pod may be active on the node (`activeDeadlineSeconds`), counted from the start that
/// its status says. Owned by the pod's worker.
final class ActiveDeadline {
  private static final String REASON = "DeadlineExceeded";
  private static final String MESSAGE =
      "Pod was active on the node longer than the specified deadline";

  private final PodWorkerDependencies dependencies;
  private final StatusReporter reporter;

  ActiveDeadline(PodWorkerDependencies dependencies, StatusReporter reporter) {
    this.dependencies = dependencies;
    this.reporter = reporter;
  }

  /// When the pod must end; empty for never.
  Optional<Instant> of(Pod pod) {
    Optional<Duration> limit = pod.activeDeadline();
    if (limit.isPresent() && reporter.lastReported().isEmpty()) {
      // Its start is the moment of the first report.
      reporter.report(pod, false);
    }
    return limit.map(reporter.startTime(pod)::plus);
  }

  /// The pod fails, whatever its containers have done.
  void exceeded(Pod pod) {
    dependencies.reports().event(pod, false, REASON, MESSAGE);
    reporter.fail(new ContainerStateWaiting(REASON, MESSAGE));
  }
}
