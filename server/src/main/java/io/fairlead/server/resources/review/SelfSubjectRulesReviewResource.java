package io.fairlead.server.resources.review;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authorizer;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What may I do in a namespace?
public final class SelfSubjectRulesReviewResource extends ReviewResource {
  public SelfSubjectRulesReviewResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview")
            .createOnly()
            .build());
  }

  @Override
  void review(ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context) {
    String namespace = spec.path("namespace").asString("");
    if (namespace.isEmpty()) {
      throw ApiException.badRequest("no namespace on request");
    }
    ArrayNode resources = status.putArray("resourceRules");
    ArrayNode paths = status.putArray("nonResourceRules");
    for (Authorizer.Rule rule : context.authorizer().rules(context.user(), namespace)) {
      if (!rule.resources().isEmpty()) {
        ObjectNode one = resources.addObject();
        put(one, "verbs", rule.verbs());
        put(one, "apiGroups", rule.groups());
        put(one, "resources", rule.resources());
        put(one, "resourceNames", rule.names());
      }
      if (!rule.paths().isEmpty()) {
        ObjectNode one = paths.addObject();
        put(one, "verbs", rule.verbs());
        put(one, "nonResourceURLs", rule.paths());
      }
    }
    status.put("incomplete", false);
  }

  private static void put(ObjectNode rule, String key, List<String> values) {
    if (!values.isEmpty()) {
      ArrayNode list = rule.putArray(key);
      values.forEach(list::add);
    }
  }
}
