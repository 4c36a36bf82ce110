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
final class PodObservation {
  private final PodWorkerDependencies dependencies;
  private final ContainerStarter starter;
  private final ProbeSet probes;
  private final TerminationMessages messages;
  private final ContainerResizer resizer;

  PodObservation(
      PodWorkerDependencies dependencies,
      ContainerStarter starter,
      ProbeSet probes,
      TerminationMessages messages,
      ContainerResizer resizer) {
    this.resizer = resizer;
    this.dependencies = dependencies;
    this.starter = starter;
    this.probes = probes;
    this.messages = messages;
  }

  PodView view(Pod pod) {
    String uid = pod.uid();
    return new PodView(
        dependencies.runtime().sandboxes().stream()
            .filter(one -> one.podUid().equals(uid))
            .map(one -> one.inOrderOf(dependencies.statuses().nodeAddresses()))
            .toList(),
        dependencies.runtime().containers().stream()
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
    boolean ephemeral = pod.ephemeralContainers().contains(container);
    return new ContainerView(
        container,
        run.map(one -> messages.of(pod, container, one)),
        view.previous(container.name()).map(one -> messages.of(pod, container, one)),
        starter.waiting(container.name()),
        initial
            ? latest != null && latest.exited() && latest.exitCode() == 0
            : !ephemeral && probes.ready(container, latest),
        probes.started(container, latest),
        latest == null ? container.body().path("resources") : resizer.resources(container, latest));
  }
}
