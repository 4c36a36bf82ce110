package io.fairlead.policy.core;

import io.fairlead.client.ObjectMeta;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Metadata without what policies never look at: there are tens of thousands of pods.
final class Metadata {
  private Metadata() {}

  static ObjectMeta slim(JsonNode object) {
    ObjectMeta whole = ObjectMeta.of(object);
    return new ObjectMeta(
        whole.key(),
        whole.uid(),
        whole.resourceVersion(),
        whole.generation(),
        whole.labels(),
        List.of(),
        List.of(),
        whole.deletionTimestamp());
  }
}
