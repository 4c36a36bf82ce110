package io.fairlead.server.resources.pod;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import io.fairlead.server.resources.kind.PartialUpdateView;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The parts of a running pod that can be written by themselves: containers added to look into it,
/// and what its containers may use.
final class PodSubresources {
  private static final String EPHEMERAL = "ephemeralContainers";

  private PodSubresources() {}

  static Subresource ephemeralContainers(ResourceDescriptor pod) {
    return new PartialUpdateView(
        "ephemeralcontainers",
        pod,
        PartialUpdateView.READ_AND_WRITE,
        (parent, changed, _) -> {
          ObjectNode spec = Json.child(parent, "spec");
          JsonNode containers = changed.path("spec").path(EPHEMERAL);
          if (containers.isEmpty()) {
            spec.remove(EPHEMERAL);
          } else {
            spec.set(EPHEMERAL, containers);
          }
          PodSpecDefaults.apply(spec);
        },
        (parent, old, _) -> checkEphemeral(parent, old));
  }

  static Subresource resize(ResourceDescriptor pod) {
    return new PartialUpdateView(
        "resize",
        pod,
        PartialUpdateView.READ_AND_WRITE,
        (parent, changed, _) -> {
          for (String list : List.of("containers", "initContainers")) {
            Map<String, JsonNode> wanted = byName(changed.path("spec").path(list));
            for (JsonNode container : parent.path("spec").path(list)) {
              JsonNode other = wanted.get(container.path("name").asString(""));
              if (other != null && container instanceof ObjectNode one) {
                one.set("resources", other.path("resources").deepCopy());
              }
            }
          }
          PodSpecDefaults.applyToPod(Json.child(parent, "spec"));
        },
        (parent, old, _) -> checkResize(parent, old));
  }

  private static List<FieldError> checkEphemeral(ObjectNode pod, ObjectNode old) {
    Problems problems = new Problems();
    PodSpecValidation.check(pod.path("spec"), "spec", problems);
    Map<String, JsonNode> now = byName(pod.path("spec").path(EPHEMERAL));
    byName(old.path("spec").path(EPHEMERAL))
        .forEach(
            (name, before) -> {
              JsonNode is = now.get(name);
              if (is == null) {
                problems.forbidden(
                    "spec." + EPHEMERAL,
                    "existing ephemeral containers \"" + name + "\" may not be removed\n");
              } else if (!is.equals(before)) {
                problems.forbidden(
                    "spec." + EPHEMERAL,
                    "existing ephemeral containers \"" + name + "\" may not be changed\n");
              }
            });
    return problems.list();
  }

  private static List<FieldError> checkResize(ObjectNode pod, ObjectNode old) {
    Problems problems = new Problems();
    PodSpecValidation.check(pod.path("spec"), "spec", problems);
    String quality = QosClass.of(pod.path("spec"));
    if (!quality.equals(old.path("status").path("qosClass").asString(quality))) {
      problems.invalid(
          "metadata.labels", quality, "Pod QOS Class may not change as a result of resizing");
    }
    return problems.list();
  }

  private static Map<String, JsonNode> byName(JsonNode containers) {
    Map<String, JsonNode> named = new TreeMap<>();
    for (JsonNode container : containers) {
      named.put(container.path("name").asString(""), container);
    }
    return named;
  }
}
