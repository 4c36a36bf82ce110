package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.RestartPolicy;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.ContainerState;
import io.fairlead.agent.status.ContainerView;
import io.fairlead.agent.status.PodStatusGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Which containers are to be started now, and which replaced. Pure.
///
/// @param replace running ones whose spec changed
record StartPlan(List<Container> start, List<Container> replace) {
  StartPlan {
    start = List.copyOf(start);
    replace = List.copyOf(replace);
  }

  /// Whether everything that was to run has run: nothing will be started again.
  ///
  /// @param initial init containers with their last runs, whatever the sandbox
  static boolean finished(Pod pod, List<ContainerView> initial, List<ContainerView> regular) {
    if (!PodStatusGenerator.initialized(regular)
        && pod.restartPolicy() == RestartPolicy.NEVER
        && initial.stream()
            .anyMatch(one -> !one.spec().sidecar() && ended(one.latest()) && exit(one) != 0)) {
      return true;
    }
    return regular.stream()
        .allMatch(one -> ended(one.latest()) && !pod.restartPolicy().restarts(exit(one)));
  }

  /// The ephemeral containers that have never run: each runs once, and none waits for another.
  static List<Container> ephemeral(List<ContainerView> ephemeral) {
    return ephemeral.stream()
        .filter(one -> one.latest().isEmpty())
        .map(ContainerView::spec)
        .toList();
  }

  /// @param initial init containers with their runs in the sandbox in use
  /// @param regular the others, likewise
  static StartPlan of(Pod pod, List<ContainerView> initial, List<ContainerView> regular) {
    List<Container> start = new ArrayList<>();
    List<Container> replace = new ArrayList<>();
    if (!PodStatusGenerator.initialized(regular)) {
      for (ContainerView one : initial) {
        if (PodStatusGenerator.passed(one)) {
          continue;
        }
        if (!running(one.latest())) {
          start.add(one.spec());
        }
        return new StartPlan(start, replace);
      }
    } else {
      initial.stream()
          .filter(one -> one.spec().sidecar() && !running(one.latest()))
          .forEach(one -> start.add(one.spec()));
    }
    for (ContainerView one : regular) {
      Optional<ContainerInfo> latest = one.latest();
      if (running(latest)) {
        if (!latest.get().hash().equals(one.spec().hash())) {
          replace.add(one.spec());
        }
      } else if (!ended(latest) || pod.restartPolicy().restarts(exit(one))) {
        start.add(one.spec());
      }
    }
    return new StartPlan(start, replace);
  }

  private static boolean running(Optional<ContainerInfo> info) {
    return info.map(ContainerInfo::running).orElse(false);
  }

  private static boolean ended(Optional<ContainerInfo> info) {
    return info.map(one -> one.state() == ContainerState.EXITED).orElse(false);
  }

  private static int exit(ContainerView one) {
    return one.latest().map(ContainerInfo::exitCode).orElse(0);
  }
}
