package io.fairlead.client;

import io.fairlead.api.json.Json;
import tools.jackson.databind.JsonNode;

/// The place of an object among those of its kind.
///
/// @param namespace empty for kinds without one
public record ObjectKey(String namespace, String name) {
  public static ObjectKey of(JsonNode object) {
    return new ObjectKey(
        Json.textOr(object, "", "metadata", "namespace"),
        Json.textOr(object, "", "metadata", "name"));
  }

  /// `default/web`, `default`.
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
