package io.fairlead.server.admission;

import io.fairlead.server.resources.cluster.PriorityClassResource;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives a new pod the priority of its class, or of the class that is meant for all.
final class PodPriority implements AdmissionPlugin {
  private static final String GROUP = "scheduling.k8s.io";
  private static final String CLASSES = "priorityclasses";
  private static final String PREEMPTS = "PreemptLowerPriority";

  /// @param name empty where there is no class
  private record Priority(String name, int value, String preemption) {}

  @Override
  public String name() {
    return "Priority";
  }

  @Override
  public boolean handles(AdmissionRequest request) {
    return request.isPod();
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    ObjectNode old = request.old();
    if (old != null) {
      keep(spec, old.path("spec"));
      return;
    }
    Priority priority = priority(request, spec.path("priorityClassName").asString(""));
    JsonNode given = spec.path("priority");
    if (given.isNumber() && given.asInt(0) != priority.value()) {
      throw request.forbidden(
          "the integer value of priority ("
              + given.asInt(0)
              + ") must not be provided in pod spec; priority admission controller computed "
              + priority.value()
              + " from the given PriorityClass name");
    }
    if (!priority.name().isEmpty()) {
      spec.put("priorityClassName", priority.name());
    }
    spec.put("priority", priority.value());
    if (!spec.has("preemptionPolicy")) {
      spec.put("preemptionPolicy", priority.preemption());
    } else if (!spec.path("preemptionPolicy").asString("").equals(priority.preemption())) {
      throw request.forbidden(
          "the string value of PreemptionPolicy ("
              + spec.path("preemptionPolicy").asString("")
              + ") must not be provided in pod spec; priority admission controller computed "
              + priority.preemption()
              + " from the given PriorityClass name");
    }
  }

  private static Priority priority(AdmissionRequest request, String name) {
    if (name.isEmpty()) {
      Priority found = new Priority("", 0, PREEMPTS);
      for (ObjectNode one : request.context().reader().list(GROUP, CLASSES, "")) {
        if (one.path("globalDefault").asBoolean(false)) {
          found = of(one);
        }
      }
      return found;
    }
    ObjectNode named = request.context().reader().get(GROUP, CLASSES, "", name);
    if (named != null) {
      return of(named);
    }
    Integer system = PriorityClassResource.SYSTEM.get(name);
    if (system == null) {
      throw request.forbidden("no PriorityClass with name " + name + " was found");
    }
    return new Priority(name, system, PREEMPTS);
  }

  private static Priority of(ObjectNode object) {
    return new Priority(
        object.path("metadata").path("name").asString(""),
        object.path("value").asInt(0),
        object.path("preemptionPolicy").asString(PREEMPTS));
  }

  private static void keep(ObjectNode spec, JsonNode old) {
    for (String key : List.of("priority", "preemptionPolicy")) {
      if (!spec.has(key) && old.has(key)) {
        spec.set(key, old.path(key));
      }
    }
  }
}
