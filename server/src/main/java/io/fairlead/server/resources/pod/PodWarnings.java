package io.fairlead.server.resources.pod;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is allowed in a pod spec and hardly ever meant.
public final class PodWarnings {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private PodWarnings() {}

  /// Advice about the template of a workload at `path`, when that is new or was changed.
  public static List<String> ofTemplate(ObjectNode object, @Nullable ObjectNode old, String path) {
    JsonNode template = at(object, path);
    if (old != null && template.equals(at(old, path))) {
      return List.of();
    }
    List<String> warnings = new ArrayList<>();
    check(template.path("spec"), path + ".spec", warnings);
    return warnings;
  }

  static void check(JsonNode spec, String path, List<String> warnings) {
    checkAliases(spec.path("hostAliases"), path + ".hostAliases", warnings);
    checkSpreading(spec, path, warnings);
    checkPullSecrets(spec.path("imagePullSecrets"), path + ".imagePullSecrets", warnings);
    PodVolumeWarnings.check(spec.path("volumes"), warnings);
    if (spec.path("terminationGracePeriodSeconds").asLong(0) < 0) {
      warnings.add(
          path
              + ".terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will"
              + " be treated as 1");
    }
    for (String list : List.of("initContainers", "containers")) {
      int index = 0;
      for (JsonNode container : spec.path(list)) {
        String at = path + "." + list + "[" + index + "]";
        checkPorts(container.path("ports"), at + ".ports", warnings);
        checkEnvironment(container.path("env"), at + ".env", warnings);
        index++;
      }
    }
  }

  private static void checkPorts(JsonNode ports, String path, List<String> warnings) {
    Map<String, String> seen = new HashMap<>();
    int index = 0;
    for (JsonNode port : ports) {
      String at = path + "[" + index + "]";
      String key =
          port.path("containerPort").asLong(0)
              + "/"
              + port.path("protocol").asString("")
              + "/"
              + port.path("hostPort").asLong(0)
              + "/"
              + port.path("hostIP").asString("");
      String first = seen.putIfAbsent(key, at);
      if (!port.path("hostIP").asString("").isEmpty() && port.path("hostPort").asLong(0) == 0) {
        warnings.add(at + ": hostIP set without hostPort: " + shown(port));
      }
      if (first != null) {
        warnings.add(at + ": duplicate port definition with " + first);
      }
      index++;
    }
  }

  /// A port as Go prints its struct.
  private static String shown(JsonNode port) {
    return "{Name:"
        + port.path("name").asString("")
        + " HostPort:"
        + port.path("hostPort").asLong(0)
        + " ContainerPort:"
        + port.path("containerPort").asLong(0)
        + " Protocol:"
        + port.path("protocol").asString("")
        + " HostIP:"
        + port.path("hostIP").asString("")
        + "}";
  }

  private static void checkAliases(JsonNode aliases, String path, List<String> warnings) {
    Set<String> seen = new HashSet<>();
    int index = 0;
    for (JsonNode alias : aliases) {
      String address = alias.path("ip").asString("");
      if (!seen.add(address)) {
        warnings.add(path + "[" + index + "].ip: duplicate ip \"" + address + "\"");
      }
      index++;
    }
  }

  private static void checkPullSecrets(JsonNode secrets, String path, List<String> warnings) {
    Set<String> seen = new HashSet<>();
    int index = 0;
    for (JsonNode secret : secrets) {
      String name = secret.path("name").asString("");
      if (name.isEmpty()) {
        warnings.add(path + "[" + index + "].name: invalid empty name \"\"");
      } else if (!seen.add(name)) {
        warnings.add(path + "[" + index + "].name: duplicate name \"" + name + "\"");
      }
      index++;
    }
  }

  private static void checkSpreading(JsonNode spec, String path, List<String> warnings) {
    checkSelectors(
        spec.path("topologySpreadConstraints"), "", path + ".topologySpreadConstraints", warnings);
    for (String kind : List.of("podAffinity", "podAntiAffinity")) {
      JsonNode affinity = spec.path("affinity").path(kind);
      String at = path + ".affinity." + kind + ".";
      checkSelectors(affinity.path(REQUIRED), "", at + REQUIRED, warnings);
      checkSelectors(affinity.path(PREFERRED), "podAffinityTerm", at + PREFERRED, warnings);
    }
  }

  private static void checkSelectors(
      JsonNode terms, String inner, String path, List<String> warnings) {
    int index = 0;
    for (JsonNode term : terms) {
      JsonNode holder = inner.isEmpty() ? term : term.path(inner);
      if (!holder.path("labelSelector").isObject()) {
        warnings.add(
            path
                + "["
                + index
                + "]."
                + (inner.isEmpty() ? "" : inner + ".")
                + "labelSelector: a null labelSelector results in matching no pod");
      }
      index++;
    }
  }

  private static void checkEnvironment(JsonNode variables, String path, List<String> warnings) {
    Map<String, Integer> seen = new HashMap<>();
    int index = 0;
    for (JsonNode variable : variables) {
      String name = variable.path("name").asString("");
      Integer first = seen.put(name, index);
      if (first != null) {
        warnings.add(
            path
                + "["
                + index
                + "]: hides previous definition of \""
                + name
                + "\", which may be dropped when using apply");
      }
      index++;
    }
  }

  private static JsonNode at(JsonNode object, String path) {
    return object.at("/" + path.replace('.', '/'));
  }
}
