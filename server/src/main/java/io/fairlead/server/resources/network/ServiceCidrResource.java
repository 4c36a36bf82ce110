package io.fairlead.server.resources.network;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// A range that Service addresses are taken from.
public final class ServiceCidrResource extends StoredResource {
  public ServiceCidrResource() {
    super(
        Describe.cluster("networking.k8s.io", "servicecidrs", "ServiceCIDR").build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS);
  }
}
