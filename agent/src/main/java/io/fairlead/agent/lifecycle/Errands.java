package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Action;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// Does what takes time on behalf of a pod's worker and tells it the end.
public interface Errands {
  /// Asks one probe once.
  ///
  /// @param address of the pod
  void probe(
      Pod pod,
      Container container,
      String containerId,
      String address,
      Probe.Kind kind,
      Probe probe,
      Consumer<Outcome> answer);

  /// Waits until no proxy sends new connections to a pod, or for that long.
  ///
  /// @param end who still may; empty when nobody
  void drain(Pod pod, Duration limit, Consumer<Optional<String>> end);

  /// Runs a hook.
  ///
  /// @param end why it failed; empty for success
  void hook(
      Pod pod,
      Container container,
      String containerId,
      String address,
      Action action,
      Consumer<Optional<String>> end);
}
