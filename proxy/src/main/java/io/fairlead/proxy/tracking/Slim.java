package io.fairlead.proxy.tracking;

import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Metadata without what the proxy does not look at: there are tens of thousands of these objects.
final class Slim {
  private Slim() {}

  static ObjectMeta metadata(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectMeta(
        new ObjectKey(
            metadata.path("namespace").asString("").intern(), metadata.path("name").asString("")),
        metadata.path("uid").asString(""),
        metadata.path("resourceVersion").asString(""),
        0,
        Map.of(),
        List.of(),
        List.of(),
        Optional.empty());
  }
}
