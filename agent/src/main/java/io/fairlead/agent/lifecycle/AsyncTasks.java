package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.HandlerAction;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.ProbeOutcome;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// Does what takes time on behalf of a pod's worker and calls it back at the end.
public interface AsyncTasks {
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
      Consumer<ProbeOutcome> answer);

  /// Waits until no proxy sends new connections to a pod, or for that long.
  ///
  /// @param end gets who still may; empty when no proxy does
  void drain(Pod pod, Duration limit, Consumer<Optional<String>> end);

  /// Runs a hook.
  ///
  /// @param end why it failed; empty for success
  void hook(
      Pod pod,
      Container container,
      String containerId,
      String address,
      HandlerAction action,
      Consumer<Optional<String>> end);
}
