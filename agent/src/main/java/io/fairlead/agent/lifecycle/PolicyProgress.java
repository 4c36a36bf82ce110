package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import java.util.Optional;

/// How far the policy component of this node is with a new pod.
@FunctionalInterface
public interface PolicyProgress {
  enum State {
    /// No pod waits here.
    NOT_AWAITED,
    /// The kernel enforces what selects the pod.
    IN_FORCE,
    /// The component lives and keeps the pod closed, but does not show it yet.
    BEHIND,
    /// Nothing keeps the pod closed for certain: no component lives, or it has no gate.
    ABSENT
  }

  /// Where no policy component is waited for.
  PolicyProgress NONE = (_, _) -> State.NOT_AWAITED;

  /// Looks once. For a state in which the pod waits, its worker is called when the state may have
  /// changed.
  ///
  /// @param version of the pod's object that has the addresses; empty while the API has not
  ///   accepted them
  State of(Pod pod, Optional<String> version);
}
