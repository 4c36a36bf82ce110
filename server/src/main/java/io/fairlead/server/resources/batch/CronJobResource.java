package io.fairlead.server.resources.batch;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Jobs at given times.
public final class CronJobResource extends StoredResource {
  public CronJobResource() {
    super(
        Describe.namespaced("batch", "cronjobs", "CronJob")
            .shortNames("cj")
            .categories("all")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
