package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Pod;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Where a pod's worker reports what happens. Calls return at once.
public interface PodReporter {
  void event(Pod pod, boolean warning, String reason, String message);

  /// Hands over the newest status; an older one that was not sent yet is dropped.
  void status(Pod pod, ObjectNode status);

  /// Sends the newest status at once, if it was not sent yet.
  void hurry(Pod pod);

  /// The version of the pod's object since the API has accepted a status with these addresses;
  /// empty before.
  Optional<String> acceptedVersion(Pod pod, List<String> addresses);

  /// Whether the newest status was accepted.
  boolean settled(Pod pod);

  /// Takes the object out of the API; the pod's end is complete.
  void remove(Pod pod);
}
