package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import java.util.List;

/// Gives a role to users, groups or service accounts, in one namespace.
public final class RoleBindingResource extends AbstractRoleBindingResource {
  public RoleBindingResource() {
    super(
        ResourceDescriptorBuilder.namespaced(
                "rbac.authorization.k8s.io", "rolebindings", "RoleBinding")
            .build(),
        List.of("Role", "ClusterRole"));
  }
}
