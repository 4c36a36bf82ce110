package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Gives a ClusterRole to somebody, everywhere.
public final class ClusterRoleBindingResource extends StoredResource {
  public ClusterRoleBindingResource() {
    super(
        Describe.cluster("rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding")
            .build(),
        NameRule.PATH_SEGMENT,
        Trait.CREATES_ON_UPDATE);
  }
}
