package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.controller.serving.Pod;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The object behind an endpoint. All empty when there is none.
record Target(String kind, String namespace, String name, String uid) {
  private static final Target NONE = new Target("", "", "", "");

  static Target of(Pod pod) {
    return new Target("Pod", pod.key().namespace(), pod.key().name(), pod.metadata().uid());
  }

  static Target of(JsonNode reference) {
    return reference.isObject()
        ? new Target(
            Json.textOr(reference, "", "kind").intern(),
            Json.textOr(reference, "", "namespace").intern(),
            Json.textOr(reference, "", "name"),
            Json.textOr(reference, "", "uid"))
        : NONE;
  }

  boolean isNone() {
    return equals(NONE);
  }

  ObjectNode toJson() {
    return Json.object()
        .put("kind", kind)
        .put("namespace", namespace)
        .put("name", name)
        .put("uid", uid);
  }
}
