package io.fairlead.controller.serving;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the Services of one namespace that select a pod, without looking at the others.
///
/// How it works: a Service is filed under one of the labels its selector demands, the one with the
/// fewest Services filed so far. A pod that it selects has that label, so only what is filed under
/// the pod's own labels is looked at. Guarded by the catalog.
final class SelectorIndex {
  private final Map<String, Service> services = new HashMap<>();
  private final Map<Label, Set<String>> filed = new HashMap<>();
  private final Map<String, Label> places = new HashMap<>();

  Optional<Service> get(String name) {
    return Optional.ofNullable(services.get(name));
  }

  boolean isEmpty() {
    return services.isEmpty();
  }

  /// Puts a Service and returns the one it replaces.
  Optional<Service> put(Service service) {
    String name = service.key().name();
    Service old = services.put(name, service);
    if (old == null || !old.selector().equals(service.selector())) {
      takeOut(name);
      if (!service.selector().isEmpty()) {
        Label place = rarest(service);
        filed.computeIfAbsent(place, _ -> new LinkedHashSet<>()).add(name);
        places.put(name, place);
      }
    }
    return Optional.ofNullable(old);
  }

  Optional<Service> remove(String name) {
    takeOut(name);
    return Optional.ofNullable(services.remove(name));
  }

  /// The Services that select a pod with these labels.
  List<Service> selecting(Map<String, String> labels) {
    List<Service> found = new ArrayList<>();
    labels.forEach(
        (key, value) -> {
          for (String name : filed.getOrDefault(new Label(key, value), Set.of())) {
            get(name).filter(service -> service.selects(labels)).ifPresent(found::add);
          }
        });
    return found;
  }

  private void takeOut(String name) {
    Label place = places.remove(name);
    if (place != null) {
      filed.computeIfPresent(
          place,
          (_, names) -> {
            names.remove(name);
            return names.isEmpty() ? null : names;
          });
    }
  }

  private Label rarest(Service service) {
    @Nullable Label best = null;
    int fewest = Integer.MAX_VALUE;
    for (Map.Entry<String, String> wanted : service.selector().entrySet()) {
      Label label = new Label(wanted.getKey(), wanted.getValue());
      int size = filed.getOrDefault(label, Set.of()).size();
      if (size < fewest) {
        best = label;
        fewest = size;
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("no selector: " + service.key());
    }
    return best;
  }
}
