package io.fairlead.server.resources.config;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Bounds for what one pod or container may ask for.
public final class LimitRangeResource extends StoredResource {
  public LimitRangeResource() {
    super(
        Describe.namespaced("", "limitranges", "LimitRange").shortNames("limits").build(),
        NameRule.SUBDOMAIN,
        Trait.CREATES_ON_UPDATE);
  }
}
