package io.fairlead.server.resources.kind;

import io.fairlead.api.json.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `…/status`: shows the whole object, writes its status and the labels, annotations and
/// finalizers.
public final class StatusView {
  private static final List<String> METADATA = List.of("labels", "annotations", "finalizers");

  private StatusView() {}

  /// That of a kind.
  public static PartialUpdateView of(KindResource resource) {
    return new PartialUpdateView(
        "status",
        resource.descriptor(),
        PartialUpdateView.READ_AND_WRITE,
        (parent, changed, _) -> {
          take(parent, changed, "status");
          takeMetadata(parent, changed);
          resource.applyDefaults(parent);
        },
        resource::validateStatus);
  }

  /// Puts the labels, annotations and finalizers of `changed` into `parent`.
  public static void takeMetadata(ObjectNode parent, ObjectNode changed) {
    ObjectNode metadata = Json.child(parent, "metadata");
    for (String key : METADATA) {
      take(metadata, Json.child(changed, "metadata"), key);
    }
  }

  private static void take(ObjectNode into, ObjectNode from, String key) {
    JsonNode value = from.get(key);
    if (value == null || value.isNull()) {
      into.remove(key);
    } else {
      into.set(key, value);
    }
  }
}
