package io.fairlead.server.resources.cluster;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// A machine that runs pods.
public final class NodeResource extends StoredResource {
  public NodeResource() {
    super(
        Describe.cluster("", "nodes", "Node")
            .shortNames("no")
            .storedUnder("/registry/minions")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS);
  }
}
