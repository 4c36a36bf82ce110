package io.fairlead.server.resources.workload;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Pods with names and an order.
public final class StatefulSetResource extends StoredResource {
  public StatefulSetResource() {
    super(
        Describe.namespaced("apps", "statefulsets", "StatefulSet")
            .shortNames("sts")
            .categories("all")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
