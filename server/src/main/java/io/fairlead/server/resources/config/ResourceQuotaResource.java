package io.fairlead.server.resources.config;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// What all objects of a namespace may use together.
public final class ResourceQuotaResource extends StoredResource {
  public ResourceQuotaResource() {
    super(
        Describe.namespaced("", "resourcequotas", "ResourceQuota").shortNames("quota").build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.DELETE_SHOWS_OBJECT);
  }
}
