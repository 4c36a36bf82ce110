package io.fairlead.server.resources.network;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// HTTP routes to Services.
public final class IngressResource extends StoredResource {
  public IngressResource() {
    super(
        Describe.namespaced("networking.k8s.io", "ingresses", "Ingress").shortNames("ing").build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
