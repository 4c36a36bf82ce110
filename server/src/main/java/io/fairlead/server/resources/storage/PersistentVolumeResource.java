package io.fairlead.server.resources.storage;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// A piece of storage.
public final class PersistentVolumeResource extends StoredResource {
  public PersistentVolumeResource() {
    super(
        Describe.cluster("", "persistentvolumes", "PersistentVolume").shortNames("pv").build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }
}
