package io.fairlead.agent.status;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.runtime.ContainerInfo;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Everything known about one container of a pod.
///
/// @param waiting the last reason it could not start; counts while it does not run
/// @param ready what its readiness says
/// @param started it runs and its startup probe, if any, has passed
/// @param resources what it has been given, as its spec puts it
public record ContainerView(
    Container spec,
    Optional<ContainerInfo> latest,
    Optional<ContainerInfo> previous,
    Optional<ContainerStateWaiting> waiting,
    boolean ready,
    boolean started,
    JsonNode resources) {
  boolean running() {
    return latest.map(ContainerInfo::running).orElse(false);
  }

  /// It ran once and does not any more.
  boolean ended() {
    return latest.map(ContainerInfo::exited).orElse(false)
        || (!running() && previous.map(ContainerInfo::exited).orElse(false));
  }

  boolean succeeded() {
    return latest.map(info -> info.exited() && info.exitCode() == 0).orElse(false);
  }

  boolean failed() {
    return latest.map(info -> info.exited() && info.exitCode() != 0).orElse(false);
  }
}
