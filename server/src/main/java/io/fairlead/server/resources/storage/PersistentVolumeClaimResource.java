package io.fairlead.server.resources.storage;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// A request for storage.
public final class PersistentVolumeClaimResource extends StoredResource {
  public PersistentVolumeClaimResource() {
    super(
        Describe.namespaced("", "persistentvolumeclaims", "PersistentVolumeClaim")
            .shortNames("pvc")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }
}
