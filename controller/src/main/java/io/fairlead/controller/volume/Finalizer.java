package io.fairlead.controller.volume;

import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A finalizer that a controller puts on objects of a kind, and takes away. Every write names the
/// version of the object it is based on.
record Finalizer(String name, ResourceType type) {
  boolean isOn(ObjectMeta metadata) {
    return metadata.finalizers().contains(name);
  }

  void add(Client client, ObjectNode object) {
    ObjectNode metadata = Json.child(object, "metadata");
    ArrayNode all =
        metadata.path("finalizers") instanceof ArrayNode list
            ? list
            : metadata.putArray("finalizers");
    all.add(name);
    client.update(type, object);
  }

  /// Lets an object that is being deleted go, unless others hold it too.
  void remove(Client client, ObjectNode object) {
    ObjectNode metadata = Json.child(object, "metadata");
    ArrayNode kept = Json.array();
    for (JsonNode each : metadata.path("finalizers")) {
      if (!each.asString("").equals(name)) {
        kept.add(each);
      }
    }
    metadata.set("finalizers", kept);
    client.update(type, object);
  }
}
