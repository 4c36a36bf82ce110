package io.fairlead.server.resources.network;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Some of the addresses behind a Service.
public final class EndpointSliceResource extends StoredResource {
  public EndpointSliceResource() {
    super(
        Describe.namespaced("discovery.k8s.io", "endpointslices", "EndpointSlice").build(),
        NameRule.SUBDOMAIN,
        Trait.GENERATIONS);
  }
}
