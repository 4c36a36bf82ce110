package io.fairlead.agent.lifecycle;

import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerInfo;
import io.fairlead.agent.runtime.LinuxContainerResources;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.agent.status.PodView;
import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Gives running containers the resources that their pod asks for by now (`kubectl edit
/// --subresource=resize`). Owned by the pod's worker.
///
/// What a run has been given is known only here: an agent that starts again gives it once more,
/// which changes nothing.
final class ContainerResizer {
  private static final String RESOURCES = "resources";

  private final PodWorkerDependencies dependencies;
  private final Map<String, JsonNode> given = new HashMap<>();
  private final Map<String, JsonNode> refused = new HashMap<>();

  ContainerResizer(PodWorkerDependencies dependencies) {
    this.dependencies = dependencies;
  }

  /// A run begins with what the pod asks for at that moment.
  void started(Container container, String id) {
    given.put(id, container.body().path(RESOURCES));
  }

  /// What a run has.
  JsonNode resources(Container container, ContainerInfo run) {
    return given.getOrDefault(run.id(), container.body().path(RESOURCES));
  }

  /// Changes what is to change.
  ///
  /// @return the containers that want to be started again for it
  List<Container> step(Pod pod, PodView view) {
    given.keySet().retainAll(view.running());
    refused.keySet().retainAll(view.running());
    List<Container> restart = new ArrayList<>();
    Map<String, LinuxContainerResources> changed = new TreeMap<>();
    Map<String, JsonNode> wanted = new HashMap<>();
    for (Container container : pod.allContainers().toList()) {
      ContainerInfo run = view.current(container.name()).orElse(null);
      if (run == null || !run.running()) {
        continue;
      }
      JsonNode want = container.body().path(RESOURCES);
      JsonNode has = given.getOrDefault(run.id(), Json.object());
      if (want.isEmpty() || want.equals(has) || want.equals(refused.get(run.id()))) {
        continue;
      }
      if (given.containsKey(run.id()) && needsRestart(container, want, has)) {
        restart.add(container);
      } else {
        changed.put(run.id(), dependencies.files().resources(pod, container));
        wanted.put(run.id(), want);
      }
    }
    if (!changed.isEmpty()) {
      apply(pod, changed, wanted);
    }
    return restart;
  }

  private void apply(
      Pod pod, Map<String, LinuxContainerResources> changed, Map<String, JsonNode> wanted) {
    try {
      dependencies.runtime().resize(pod.uid(), dependencies.files().resources(pod), changed);
      given.putAll(wanted);
    } catch (RuntimeFailure e) {
      refused.putAll(wanted);
      dependencies.reports().event(pod, true, "ResizeError", "Error resizing pod: " + e.text());
    }
  }

  /// Whether a resource changes that the container cannot follow while it runs.
  private static boolean needsRestart(Container container, JsonNode want, JsonNode has) {
    for (JsonNode policy : container.body().path("resizePolicy")) {
      String resource = Json.textOr(policy, "", "resourceName");
      if (Json.textOr(policy, "", "restartPolicy").equals("RestartContainer")
          && Stream.of("limits", "requests")
              .anyMatch(
                  list -> !want.path(list).path(resource).equals(has.path(list).path(resource)))) {
        return true;
      }
    }
    return false;
  }
}
