package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Permissions for the whole cluster.
public final class ClusterRoleResource extends StoredResource {
  public ClusterRoleResource() {
    super(
        Describe.cluster("rbac.authorization.k8s.io", "clusterroles", "ClusterRole").build(),
        NameRule.PATH_SEGMENT,
        Trait.CREATES_ON_UPDATE);
  }
}
