package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import java.util.List;

/// Gives a ClusterRole to users, groups or service accounts, everywhere.
public final class ClusterRoleBindingResource extends AbstractRoleBindingResource {
  public ClusterRoleBindingResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "rbac.authorization.k8s.io", "clusterrolebindings", "ClusterRoleBinding")
            .build(),
        List.of("ClusterRole"));
  }
}
