package io.fairlead.server.admission;

import io.fairlead.server.resources.storage.StorageClassResource;
import tools.jackson.databind.node.ObjectNode;

/// Gives a new claim that names no class of storage the one that is marked as default.
final class DefaultStorageClass implements AdmissionPlugin {
  @Override
  public String name() {
    return "DefaultStorageClass";
  }

  @Override
  public boolean handles(AdmissionRequest request) {
    return request.isFor("", "persistentvolumeclaims") && request.creates();
  }

  /// Of several that are marked the newest is taken, of equally old ones the first by name.
  @Override
  public void mutate(AdmissionRequest request) {
    boolean named =
        request.spec().has("storageClassName")
            || request
                .object()
                .path("metadata")
                .path("annotations")
                .has("volume.beta.kubernetes.io/storage-class");
    if (named) {
      return;
    }
    String best = "";
    String made = "";
    for (ObjectNode one : request.context().reader().list("storage.k8s.io", "storageclasses", "")) {
      String name = one.path("metadata").path("name").asString("");
      String at = one.path("metadata").path("creationTimestamp").asString("");
      if (StorageClassResource.isDefault(one)
          && (best.isEmpty()
              || at.compareTo(made) > 0
              || (at.equals(made) && name.compareTo(best) < 0))) {
        best = name;
        made = at;
      }
    }
    if (!best.isEmpty()) {
      request.spec().put("storageClassName", best);
    }
  }
}
