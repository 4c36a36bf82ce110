package io.fairlead.server.resources.rbac;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.auth.rbac.Escalation;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.StoredResource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Permissions for the whole cluster.
public final class ClusterRoleResource extends StoredResource {
  public ClusterRoleResource() {
    super(
        Describe.cluster("rbac.authorization.k8s.io", "clusterroles", "ClusterRole").build(),
        NameRule.PATH_SEGMENT,
        Trait.CREATES_ON_UPDATE);
  }

  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Escalation.checkRole("clusterroles", object, old, context);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    RuleRules.check(object.path("rules"), false, problems);
    return problems.list();
  }
}
