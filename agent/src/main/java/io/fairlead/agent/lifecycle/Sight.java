package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.status.ContainerView;
import io.fairlead.agent.status.PodView;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What there is of a pod at one moment: what the runtime has, and what only its worker knows of
/// its containers. Owned by the pod's worker.
final class Sight {
  private final Surroundings surroundings;
  private final Starter starter;
  private final ProbeSet probes;
  private final EndMessages messages;

  Sight(Surroundings surroundings, Starter starter, ProbeSet probes, EndMessages messages) {
    this.surroundings = surroundings;
    this.starter = starter;
    this.probes = probes;
    this.messages = messages;
  }

  PodView view(Pod pod) {
    String uid = pod.uid();
    return new PodView(
        surroundings.runtime().sandboxes().stream()
            .filter(one -> one.podUid().equals(uid))
            .map(one -> one.inOrderOf(surroundings.statuses().nodeAddresses()))
            .toList(),
        surroundings.runtime().containers().stream()
            .filter(one -> one.podUid().equals(uid))
            .toList());
  }

  /// @param run the run of a container that counts, by the container's name
  List<ContainerView> views(
      Pod pod,
      List<Container> containers,
      PodView view,
      Function<String, Optional<ContainerInfo>> run) {
    return containers.stream()
        .map(container -> of(pod, container, view, run.apply(container.name())))
        .toList();
  }

  private ContainerView of(
      Pod pod, Container container, PodView view, Optional<ContainerInfo> run) {
    ContainerInfo latest = run.orElse(null);
    boolean initial = pod.initContainers().contains(container) && !container.sidecar();
    return new ContainerView(
        container,
        run.map(one -> messages.of(pod, container, one)),
        view.previous(container.name()).map(one -> messages.of(pod, container, one)),
        starter.waiting(container.name()),
        initial
            ? latest != null && latest.exited() && latest.exitCode() == 0
            : probes.ready(container, latest),
        probes.started(container, latest));
  }
}
