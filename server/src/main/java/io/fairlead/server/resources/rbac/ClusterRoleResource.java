package io.fairlead.server.resources.rbac;

import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.auth.rbac.EscalationCheck;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Permissions for the whole cluster.
public final class ClusterRoleResource extends StoredResource {
  public ClusterRoleResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "rbac.authorization.k8s.io", "clusterroles", "ClusterRole")
            .build(),
        NameValidator.PATH_SEGMENT,
        Trait.CREATES_ON_UPDATE);
  }

  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    EscalationCheck.checkRole("clusterroles", object, old, context);
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    PolicyRuleValidation.check(object.path("rules"), false, problems);
    JsonNode rule = object.path("aggregationRule");
    if (rule.isObject()) {
      checkAggregation(rule.path("clusterRoleSelectors"), problems);
    }
    return problems.list();
  }

  private static void checkAggregation(JsonNode selectors, Problems problems) {
    String path = "aggregationRule.clusterRoleSelectors";
    if (selectors.isEmpty()) {
      problems.required(
          path, "at least one clusterRoleSelector required if aggregationRule is non-nil");
    }
    int index = 0;
    for (JsonNode selector : selectors) {
      String at = path + "[" + index + "]";
      List<FieldError> faults = MetadataRules.labelSelector(selector, at);
      problems.addAll(faults);
      if (!faults.isEmpty()) {
        problems.invalid(at, JsonNodeFactory.instance.nullNode(), "invalid label selector.");
      }
      index++;
    }
  }
}
