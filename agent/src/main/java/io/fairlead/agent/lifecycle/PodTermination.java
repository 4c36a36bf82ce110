package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.status.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/// Ends containers: single ones that are ill, and all of a pod in their order. Owned by the pod's
/// worker.
///
/// Regular containers end together; only when all of them have ended, the sidecars follow, the last
/// one first. All share one deadline.
final class PodTermination {
  private final PodWorkerDependencies dependencies;
  private final Executor owner;
  private final Map<String, ContainerStop> kills = new HashMap<>();
  private Instant deadline = Instant.MAX;

  PodTermination(PodWorkerDependencies dependencies, Executor owner) {
    this.dependencies = dependencies;
    this.owner = owner;
  }

  /// The whole pod is to end within that time.
  void begin(Duration grace, Instant now) {
    deadline = now.plus(atLeastOne(grace));
  }

  /// Brings the end forward; a longer time is ignored.
  void shorten(Duration grace, Instant now) {
    Instant earlier = now.plus(atLeastOne(grace));
    if (earlier.isBefore(deadline)) {
      deadline = earlier;
      kills.values().forEach(kill -> kill.shorten(earlier, dependencies.runtime(), now));
    }
  }

  /// Begins to end one container; one that is being ended already goes on as it does.
  void kill(
      Pod pod,
      Container container,
      ContainerInfo run,
      String address,
      String message,
      Duration grace,
      Instant now) {
    if (kills.containsKey(run.id())) {
      return;
    }
    dependencies.reports().event(pod, false, "Killing", message);
    boolean hook = container.preStop().isPresent() && !grace.isZero();
    ContainerStop kill = new ContainerStop(run.id(), now.plus(grace), hook);
    kills.put(run.id(), kill);
    if (hook) {
      dependencies
          .tasks()
          .hook(
              pod,
              container,
              run.id(),
              address,
              container.preStop().get(),
              end -> owner.execute(() -> hookDone(pod, kill, end)));
    }
  }

  private void hookDone(Pod pod, ContainerStop kill, Optional<String> end) {
    end.ifPresent(
        why ->
            dependencies
                .reports()
                .event(pod, true, "FailedPreStopHook", "PreStopHook failed: " + why));
    kill.hookDone();
  }

  /// Goes on with what was begun.
  ///
  /// @return when something is due again
  Optional<Instant> pursue(PodView view, Instant now) {
    kills
        .keySet()
        .removeIf(
            id ->
                view.containers().stream().noneMatch(run -> run.id().equals(id) && run.running()));
    return kills.values().stream()
        .flatMap(kill -> kill.step(dependencies.runtime(), now).stream())
        .min(Instant::compareTo);
  }

  /// Ends what is to end now of the whole pod.
  ///
  /// @return when something is due again
  Optional<Instant> step(Pod pod, PodView view, String address, Instant now) {
    List<Container> sidecars = pod.sidecars();
    List<Container> first =
        pod.everyContainer().filter(one -> !sidecars.contains(one) && running(view, one)).toList();
    if (!first.isEmpty()) {
      first.forEach(one -> end(pod, one, view, address, now));
    } else {
      sidecars.reversed().stream()
          .filter(one -> running(view, one))
          .findFirst()
          .ifPresent(one -> end(pod, one, view, address, now));
    }
    return pursue(view, now);
  }

  private void end(Pod pod, Container container, PodView view, String address, Instant now) {
    ContainerInfo run = view.latest(container.name()).orElseThrow();
    Duration left = Duration.between(now, deadline);
    kill(
        pod,
        container,
        run,
        address,
        "Stopping container " + container.name(),
        left.isNegative() ? Duration.ZERO : left,
        now);
  }

  private static boolean running(PodView view, Container container) {
    return view.latest(container.name()).map(ContainerInfo::running).orElse(false);
  }

  private static Duration atLeastOne(Duration grace) {
    Duration one = Duration.ofSeconds(1);
    return grace.compareTo(one) < 0 ? one : grace;
  }
}
