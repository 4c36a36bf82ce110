package io.fairlead.server.resources.network;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// The addresses behind a Service, all in one object.
public final class EndpointsResource extends StoredResource {
  public EndpointsResource() {
    super(
        Describe.namespaced("", "endpoints", "Endpoints")
            .shortNames("ep")
            .storedUnder("/registry/services/endpoints")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE);
  }
}
