package io.fairlead.server.resources.rbac;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Permissions in one namespace.
public final class RoleResource extends StoredResource {
  public RoleResource() {
    super(
        Describe.namespaced("rbac.authorization.k8s.io", "roles", "Role").build(),
        NameRule.PATH_SEGMENT,
        Trait.CREATES_ON_UPDATE);
  }
}
