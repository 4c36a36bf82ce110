package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Gives a role to somebody, in one namespace.
public final class RoleBindingResource extends StoredResource {
  public RoleBindingResource() {
    super(
        Describe.namespaced("rbac.authorization.k8s.io", "rolebindings", "RoleBinding").build(),
        NameRule.PATH_SEGMENT,
        Trait.CREATES_ON_UPDATE);
  }
}
