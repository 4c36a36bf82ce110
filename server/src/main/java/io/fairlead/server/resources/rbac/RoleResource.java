package io.fairlead.server.resources.rbac;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.auth.rbac.EscalationCheck;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Permissions in one namespace.
public final class RoleResource extends StoredResource {
  public RoleResource() {
    super(
        ResourceDescriptorBuilder.namespaced("rbac.authorization.k8s.io", "roles", "Role").build(),
        NameValidator.PATH_SEGMENT,
        Trait.CREATES_ON_UPDATE);
  }

  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    EscalationCheck.checkRole("roles", object, old, context);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    PolicyRuleValidation.check(object.path("rules"), true, problems);
    return problems.list();
  }
}
