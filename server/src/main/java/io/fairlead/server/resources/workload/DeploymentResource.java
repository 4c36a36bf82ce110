package io.fairlead.server.resources.workload;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// A set of equal pods that is rolled from one version to the next.
public final class DeploymentResource extends StoredResource {
  public DeploymentResource() {
    super(
        Describe.namespaced("apps", "deployments", "Deployment")
            .shortNames("deploy")
            .categories("all")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
