package io.fairlead.server.resources.batch;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Pods that run until they are done.
public final class JobResource extends StoredResource {
  public JobResource() {
    super(
        Describe.namespaced("batch", "jobs", "Job").categories("all").build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
