package io.fairlead.server.resources.cluster;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Who holds something, and since when.
public final class LeaseResource extends StoredResource {
  public LeaseResource() {
    super(
        Describe.namespaced("coordination.k8s.io", "leases", "Lease").build(),
        NameRule.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE,
        Trait.NEEDS_RESOURCE_VERSION);
  }
}
