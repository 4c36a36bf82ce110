package io.fairlead.server.resources.network;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Who serves an Ingress.
public final class IngressClassResource extends StoredResource {
  public IngressClassResource() {
    super(
        Describe.cluster("networking.k8s.io", "ingressclasses", "IngressClass").build(),
        NameRule.SUBDOMAIN,
        Trait.GENERATIONS);
  }
}
