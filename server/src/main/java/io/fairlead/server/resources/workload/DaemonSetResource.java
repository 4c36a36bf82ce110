package io.fairlead.server.resources.workload;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// One pod on every node.
public final class DaemonSetResource extends StoredResource {
  public DaemonSetResource() {
    super(
        Describe.namespaced("apps", "daemonsets", "DaemonSet")
            .shortNames("ds")
            .categories("all")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
