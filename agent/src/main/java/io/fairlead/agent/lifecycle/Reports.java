package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import tools.jackson.databind.node.ObjectNode;

/// Where a pod's worker tells what happens. Calls return at once.
public interface Reports {
  void event(Pod pod, boolean warning, String reason, String message);

  /// Hands over the newest status; an older one that was not sent yet is dropped.
  void status(Pod pod, ObjectNode status);

  /// Whether the newest status was accepted.
  boolean settled(Pod pod);

  /// Takes the object out of the API; the pod's end is complete.
  void remove(Pod pod);
}
