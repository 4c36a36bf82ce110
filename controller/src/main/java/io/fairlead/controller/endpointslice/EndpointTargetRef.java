package io.fairlead.controller.endpointslice;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.controller.serving.EndpointPod;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The object behind an endpoint. All empty when there is none.
record EndpointTargetRef(String kind, String namespace, String name, String uid) {
  private static final EndpointTargetRef NONE = new EndpointTargetRef("", "", "", "");

  static EndpointTargetRef of(EndpointPod pod) {
    return new EndpointTargetRef(
        "Pod", pod.key().namespace(), pod.key().name(), pod.metadata().uid());
  }

  static EndpointTargetRef of(V1EndpointSlice.@Nullable Target target) {
    return target == null
        ? NONE
        : new EndpointTargetRef(target.kind(), target.namespace(), target.name(), target.uid());
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
