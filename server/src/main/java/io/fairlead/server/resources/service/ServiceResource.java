package io.fairlead.server.resources.service;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// One stable name and address for a changing set of pods.
public final class ServiceResource extends StoredResource {
  public ServiceResource() {
    super(
        Describe.namespaced("", "services", "Service")
            .shortNames("svc")
            .categories("all")
            .storedUnder("/registry/services/specs")
            .build(),
        NameRule.LABEL,
        Trait.STATUS,
        Trait.CREATES_ON_UPDATE,
        Trait.DELETE_SHOWS_OBJECT);
  }
}
