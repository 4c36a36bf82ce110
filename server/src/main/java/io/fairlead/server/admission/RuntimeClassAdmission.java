package io.fairlead.server.admission;

import io.fairlead.api.json.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives a new pod what its RuntimeClass says: what it costs beside its containers, and which nodes
/// can run it.
final class RuntimeClassAdmission implements AdmissionPlugin {
  @Override
  public String name() {
    return "RuntimeClass";
  }

  @Override
  public boolean handles(AdmissionRequest request) {
    return request.isPod() && request.creates();
  }

  @Override
  public void mutate(AdmissionRequest request) {
    ObjectNode spec = request.spec();
    ObjectNode runtime = runtimeClass(request);
    if (runtime == null) {
      return;
    }
    JsonNode overhead = runtime.path("overhead").path("podFixed");
    if (!overhead.isEmpty()) {
      if (!spec.path("overhead").isEmpty() && !spec.path("overhead").equals(overhead)) {
        throw request.forbidden(
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
      }
      spec.set("overhead", overhead);
    }
    JsonNode scheduling = runtime.path("scheduling");
    for (Map.Entry<String, JsonNode> label : scheduling.path("nodeSelector").properties()) {
      ObjectNode selector = Json.child(spec, "nodeSelector");
      JsonNode there = selector.get(label.getKey());
      if (there != null && !there.equals(label.getValue())) {
        throw request.forbidden(
            "conflict: runtimeClass.scheduling.nodeSelector["
                + label.getKey()
                + "] = "
                + label.getValue().asString("")
                + "; pod.spec.nodeSelector["
                + label.getKey()
                + "] = "
                + there.asString(""));
      }
      selector.set(label.getKey(), label.getValue());
    }
    for (JsonNode toleration : scheduling.path("tolerations")) {
      ArrayNode all =
          spec.get("tolerations") instanceof ArrayNode found ? found : spec.putArray("tolerations");
      boolean there = false;
      for (JsonNode one : all) {
        there |= one.equals(toleration);
      }
      if (!there) {
        all.add(toleration);
      }
    }
  }

  /// Overhead is the class's to say, not the pod's.
  @Override
  public void validate(AdmissionRequest request) {
    JsonNode overhead = request.object().path("spec").path("overhead");
    ObjectNode runtime = runtimeClass(request);
    boolean defined = runtime != null && !runtime.path("overhead").path("podFixed").isEmpty();
    if (!overhead.isEmpty() && !defined) {
      throw request.forbidden(
          "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
    }
  }

  private static @Nullable ObjectNode runtimeClass(AdmissionRequest request) {
    String name = request.object().path("spec").path("runtimeClassName").asString("");
    if (name.isEmpty()) {
      return null;
    }
    ObjectNode found = request.context().reader().get("node.k8s.io", "runtimeclasses", "", name);
    if (found == null) {
      throw request.forbidden("pod rejected: RuntimeClass \"" + name + "\" not found");
    }
    return found;
  }
}
