package io.fairlead.server.resources.config;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Who a pod is to the API.
public final class ServiceAccountResource extends StoredResource {
  public ServiceAccountResource() {
    super(
        Describe.namespaced("", "serviceaccounts", "ServiceAccount").shortNames("sa").build(),
        NameRule.SUBDOMAIN,
        Trait.DELETE_SHOWS_OBJECT);
  }
}
