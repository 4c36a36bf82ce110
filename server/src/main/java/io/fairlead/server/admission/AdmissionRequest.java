package io.fairlead.server.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.ResourceDescriptor;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An object on its way into the store.
///
/// @param object as it shall be; the plugins of the first pass change it
/// @param old as it is; null on create
public record AdmissionRequest(
    ResourceDescriptor descriptor,
    ObjectNode object,
    @Nullable ObjectNode old,
    RequestContext context) {

  public boolean creates() {
    return old == null;
  }

  boolean isFor(String group, String plural) {
    return descriptor.group().equals(group) && descriptor.plural().equals(plural);
  }

  boolean isPod() {
    return isFor("", "pods");
  }

  /// Its name, or the beginning of it while the rest is not chosen.
  String name() {
    JsonNode metadata = object.path("metadata");
    String name = metadata.path("name").asString("");
    return name.isEmpty() ? metadata.path("generateName").asString("") : name;
  }

  ObjectNode spec() {
    return Json.child(object, "spec");
  }

  ApiException forbidden(String why) {
    return ApiException.forbidden(descriptor.group(), descriptor.plural(), name(), why);
  }
}
