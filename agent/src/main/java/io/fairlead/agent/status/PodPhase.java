package io.fairlead.agent.status;

import io.fairlead.agent.pod.RestartPolicy;
import java.util.List;

/// The one word about a pod.
public enum PodPhase {
  PENDING("Pending"),
  RUNNING("Running"),
  SUCCEEDED("Succeeded"),
  FAILED("Failed");

  private final String word;

  PodPhase(String word) {
    this.word = word;
  }

  /// As the API spells it.
  public String word() {
    return word;
  }

  public boolean terminal() {
    return this == SUCCEEDED || this == FAILED;
  }

  /// What the containers make of a pod. The rules are tried in order.
  ///
  /// @param tornDown nothing will be started any more
  static PodPhase of(
      RestartPolicy policy,
      List<ContainerView> initial,
      List<ContainerView> regular,
      boolean tornDown) {
    boolean initialized = initialized(regular);
    if (!initialized && initial.stream().anyMatch(one -> initFailed(policy, one))) {
      return FAILED;
    }
    boolean someEnded = regular.stream().anyMatch(ContainerView::ended);
    if (!tornDown) {
      if (!initialized && !initial.stream().allMatch(PodPhase::passed)) {
        return PENDING;
      }
      if (regular.stream().anyMatch(one -> !one.running() && !one.ended())) {
        return PENDING;
      }
    }
    if (regular.stream().anyMatch(ContainerView::running)
        || initial.stream().anyMatch(one -> one.spec().sidecar() && one.running())) {
      return RUNNING;
    }
    boolean allSucceeded = regular.stream().allMatch(ContainerView::succeeded);
    if (tornDown) {
      return allSucceeded ? SUCCEEDED : FAILED;
    }
    if (!someEnded) {
      return PENDING;
    }
    if (policy == RestartPolicy.ALWAYS) {
      return RUNNING;
    }
    if (allSucceeded) {
      return SUCCEEDED;
    }
    return policy == RestartPolicy.NEVER ? FAILED : RUNNING;
  }

  /// Whether the init containers have done their work: a regular one was made.
  static boolean initialized(List<ContainerView> regular) {
    return regular.stream().anyMatch(one -> one.latest().isPresent());
  }

  /// Whether the next container may start.
  static boolean passed(ContainerView initial) {
    return initial.spec().sidecar() ? initial.started() : initial.succeeded();
  }

  private static boolean initFailed(RestartPolicy policy, ContainerView one) {
    return policy == RestartPolicy.NEVER && !one.spec().sidecar() && one.failed();
  }
}
