package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.Describe;
import java.util.List;

/// Gives a role to somebody, in one namespace.
public final class RoleBindingResource extends BindingToRole {
  public RoleBindingResource() {
    super(
        Describe.namespaced("rbac.authorization.k8s.io", "rolebindings", "RoleBinding").build(),
        List.of("Role", "ClusterRole"));
  }
}
