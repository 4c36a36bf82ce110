package io.fairlead.client;

import io.fairlead.api.json.Json;
import tools.jackson.databind.JsonNode;

/// One entry of `metadata.ownerReferences`.
public record OwnerReference(
    String apiVersion,
    String kind,
    String name,
    String uid,
    boolean controller,
    boolean blockOwnerDeletion) {

  static OwnerReference of(JsonNode reference) {
    return new OwnerReference(
        Json.textOr(reference, "", "apiVersion"),
        Json.textOr(reference, "", "kind"),
        Json.textOr(reference, "", "name"),
        Json.textOr(reference, "", "uid"),
        reference.path("controller").asBoolean(false),
        reference.path("blockOwnerDeletion").asBoolean(false));
  }

  /// The API group in `apiVersion`, empty for the core group.
  public String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }
}
