package io.fairlead.server.resources.workload;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// A number of equal pods.
public final class ReplicaSetResource extends StoredResource {
  public ReplicaSetResource() {
    super(
        Describe.namespaced("apps", "replicasets", "ReplicaSet")
            .shortNames("rs")
            .categories("all")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
