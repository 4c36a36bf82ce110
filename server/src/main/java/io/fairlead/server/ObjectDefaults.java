package io.fairlead.server;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.BuiltInResources;
import tools.jackson.databind.node.ObjectNode;

/// What the server fills in when an object does not say it, without a server.
public final class ObjectDefaults {
  private ObjectDefaults() {}

  /// Fills in the defaults of an object by its `apiVersion` and `kind`; one of another kind stays
  /// as it is.
  public static void apply(ObjectNode object) {
    String version = Json.textOr(object, "", "apiVersion");
    String kind = Json.textOr(object, "", "kind");
    for (Resource resource : BuiltInResources.all()) {
      if (resource.descriptor().kind().equals(kind)
          && resource.descriptor().apiVersion().equals(version)) {
        resource.applyDefaults(object);
      }
    }
  }
}
