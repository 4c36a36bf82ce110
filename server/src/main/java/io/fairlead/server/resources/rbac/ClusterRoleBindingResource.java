package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.Describe;
import java.util.List;

/// Gives a ClusterRole to somebody, everywhere.
public final class ClusterRoleBindingResource extends BindingToRole {
  public ClusterRoleBindingResource() {
    super(
        Describe.cluster("rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding")
            .build(),
        List.of("ClusterRole"));
  }
}
