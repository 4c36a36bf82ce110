package io.fairlead.server.resources.review;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import tools.jackson.databind.node.ObjectNode;

/// May that user do this in this namespace?
public final class LocalSubjectAccessReviewResource extends ReviewResource {
  public LocalSubjectAccessReviewResource() {
    super(
        ResourceDescriptorBuilder.namespaced(
                "authorization.k8s.io", "localsubjectaccessreviews", "LocalSubjectAccessReview")
            .createOnly()
            .build());
  }

  @Override
  void review(ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context) {
    AccessReviewEvaluation.check(spec, true, descriptor());
    String namespace = spec.at("/resourceAttributes/namespace").asString("");
    if (!namespace.equals(context.namespace())) {
      throw ApiException.badRequest(
          "spec.resourceAttributes.namespace must match namespace: " + context.namespace());
    }
    AccessReviewEvaluation.answer(spec, AccessReviewEvaluation.user(spec), status, context);
  }
}
