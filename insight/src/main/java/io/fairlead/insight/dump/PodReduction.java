package io.fairlead.insight.dump;

import io.fairlead.api.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Objects without the parts that an archive never has: what a container is told and what it is
/// given, and annotations of others.
public final class PodReduction {
  private static final List<String> NEVER =
      List.of("env", "envFrom", "command", "args", "volumeMounts", "volumeDevices");

  private PodReduction() {}

  /// A copy of an object of any kind, with pods and templates of pods cut down.
  public static ObjectNode of(ObjectNode object) {
    ObjectNode copy = object.deepCopy();
    if (copy.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove("managedFields");
      annotations(metadata);
    }
    boolean pod = Json.textOr(copy, "Pod", "kind").equals("Pod");
    if (pod && copy.path("spec") instanceof ObjectNode spec) {
      spec.remove(List.of("volumes", "imagePullSecrets"));
      for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
        for (JsonNode container : spec.path(list)) {
          if (container instanceof ObjectNode one) {
            one.remove(NEVER);
            probes(one);
          }
        }
      }
    }
    return copy;
  }

  /// A probe may run a command.
  private static void probes(ObjectNode container) {
    for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
      if (container.path(probe) instanceof ObjectNode one) {
        one.remove("exec");
        if (one.path("httpGet") instanceof ObjectNode get) {
          get.remove("httpHeaders");
        }
      }
    }
    container.remove("lifecycle");
  }

  private static void annotations(ObjectNode metadata) {
    if (metadata.path("annotations") instanceof ObjectNode annotations) {
      List<String> foreign =
          annotations.properties().stream()
              .map(java.util.Map.Entry::getKey)
              .filter(
                  key ->
                      !key.startsWith("fairlead.dev/")
                          && !key.startsWith("endpoints.kubernetes.io/"))
              .toList();
      annotations.remove(foreign);
    }
  }
}
