package io.fairlead.agent.files;

import io.fairlead.agent.pod.Pod;

/// Follows what the content of pods' volumes comes from.
public interface VolumeSourceWatcher {
  /// Reports changes from now on. Does nothing for a pod that is followed already.
  void follow(Pod pod);

  /// The pod is gone.
  void forget(Pod pod);
}
