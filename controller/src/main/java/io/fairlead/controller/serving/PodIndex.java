package io.fairlead.controller.serving;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The pods of one namespace, by name and by label. Guarded by the catalog.
final class PodIndex {
  private final Map<String, EndpointPod> pods = new HashMap<>();
  private final Map<Label, Set<String>> labelled = new HashMap<>();

  boolean isEmpty() {
    return pods.isEmpty();
  }

  Optional<EndpointPod> get(String name) {
    return Optional.ofNullable(pods.get(name));
  }

  /// Puts a pod and returns the one it replaces.
  Optional<EndpointPod> put(EndpointPod pod) {
    String name = pod.key().name();
    EndpointPod old = pods.put(name, pod);
    if (old == null || !old.labels().equals(pod.labels())) {
      if (old != null) {
        takeOut(old);
      }
      pod.labels()
          .forEach(
              (key, value) ->
                  labelled
                      .computeIfAbsent(new Label(key, value), _ -> new LinkedHashSet<>())
                      .add(name));
    }
    return Optional.ofNullable(old);
  }

  Optional<EndpointPod> remove(String name) {
    EndpointPod old = pods.remove(name);
    if (old != null) {
      takeOut(old);
    }
    return Optional.ofNullable(old);
  }

  /// The pods a Service selects. Looks only at those that have the rarest label it demands.
  List<EndpointPod> selectedBy(Service service) {
    List<EndpointPod> found = new ArrayList<>();
    if (!service.selectsPods()) {
      return found;
    }
    Set<String> fewest = pods.keySet();
    for (Map.Entry<String, String> wanted : service.selector().entrySet()) {
      Label label = new Label(wanted.getKey(), wanted.getValue());
      Set<String> having = labelled.getOrDefault(label, Set.of());
      if (having.size() < fewest.size()) {
        fewest = having;
      }
    }
    for (String name : fewest) {
      EndpointPod pod = pods.get(name);
      if (pod != null && service.selects(pod.labels())) {
        found.add(pod);
      }
    }
    return found;
  }

  /// All pods, for questions people ask now and then.
  List<EndpointPod> all() {
    return List.copyOf(pods.values());
  }

  private void takeOut(EndpointPod pod) {
    pod.labels()
        .forEach(
            (key, value) ->
                labelled.computeIfPresent(
                    new Label(key, value),
                    (_, names) -> {
                      names.remove(pod.key().name());
                      return names.isEmpty() ? null : names;
                    }));
  }
}
