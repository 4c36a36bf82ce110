package io.fairlead.server.resources.pod;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Containers that live and die together on one node.
public final class PodResource extends StoredResource {
  public PodResource() {
    super(
        Describe.namespaced("", "pods", "Pod").shortNames("po").categories("all").build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.DELETE_SHOWS_OBJECT);
  }
}
