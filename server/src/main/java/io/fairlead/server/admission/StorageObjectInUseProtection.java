package io.fairlead.server.admission;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Puts the finalizers on new claims and volumes that keep them from going while they are in use.
/// Controllers take them away.
final class StorageObjectInUseProtection implements AdmissionPlugin {
  private static final Map<String, String> FINALIZERS =
      Map.of(
          "persistentvolumeclaims",
          "kubernetes.io/pvc-protection",
          "persistentvolumes",
          "kubernetes.io/pv-protection");

  @Override
  public String name() {
    return "StorageObjectInUseProtection";
  }

  @Override
  public boolean handles(AdmissionRequest request) {
    return request.creates()
        && FINALIZERS.keySet().stream().anyMatch(plural -> request.isFor("", plural));
  }

  @Override
  public void mutate(AdmissionRequest request) {
    FINALIZERS.forEach(
        (plural, finalizer) -> {
          if (request.isFor("", plural)
              && request.object().path("metadata") instanceof ObjectNode metadata) {
            add(metadata, finalizer);
          }
        });
  }

  private static void add(ObjectNode metadata, String finalizer) {
    @Nullable JsonNode given = metadata.get("finalizers");
    ArrayNode all = given instanceof ArrayNode list ? list : metadata.putArray("finalizers");
    for (JsonNode each : all) {
      if (each.asString("").equals(finalizer)) {
        return;
      }
    }
    all.add(finalizer);
  }
}
