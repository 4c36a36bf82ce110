package io.fairlead.server.stream;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Which container of a pod is meant. Pure.
final class ContainerSelector {
  private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

  private ContainerSelector() {}

  /// @param wanted empty for the only one
  /// @throws ApiException when there is no such container, or several without a choice
  static String choose(String wanted, ObjectNode pod) {
    String name = Json.textOr(pod, "", "metadata", "name");
    List<String> regular = names(pod, "containers");
    List<String> all = new ArrayList<>(regular);
    all.addAll(names(pod, "initContainers"));
    all.addAll(names(pod, "ephemeralContainers"));
    if (!wanted.isEmpty()) {
      if (!all.contains(wanted)) {
        throw ApiException.badRequest("container " + wanted + " is not valid for pod " + name);
      }
      return wanted;
    }
    String standard = Json.textOr(pod, "", "metadata", "annotations", DEFAULT_CONTAINER);
    if (all.contains(standard)) {
      return standard;
    }
    if (regular.size() != 1) {
      throw ApiException.badRequest(
          "a container name must be specified for pod "
              + name
              + ", choose one of: ["
              + String.join(" ", all)
              + "]");
    }
    return regular.getFirst();
  }

  private static List<String> names(ObjectNode pod, String list) {
    List<String> names = new ArrayList<>();
    for (JsonNode container : Json.at(pod, "spec", list)) {
      names.add(Json.textOr(container, "", "name"));
    }
    return names;
  }
}
