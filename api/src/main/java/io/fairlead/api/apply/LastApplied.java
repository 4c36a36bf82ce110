package io.fairlead.api.apply;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/// The configuration that `kubectl apply` keeps in an annotation when it works from the client
/// side.
final class LastApplied {
  /// The manager name of `kubectl apply --server-side`.
  static final String MANAGER = "kubectl";

  private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

  private LastApplied() {}

  /// What the annotation holds; null when it is missing or no object.
  static @Nullable ObjectNode read(ObjectNode object) {
    String text = Json.text(object, "metadata", "annotations", ANNOTATION);
    if (text == null) {
      return null;
    }
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8)) instanceof ObjectNode config
          ? config
          : null;
    } catch (JacksonException notJson) {
      return null;
    }
  }
}
