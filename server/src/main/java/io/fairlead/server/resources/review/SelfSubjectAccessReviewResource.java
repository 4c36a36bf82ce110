package io.fairlead.server.resources.review;

import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import tools.jackson.databind.node.ObjectNode;

/// May I do this?
public final class SelfSubjectAccessReviewResource extends ReviewResource {
  public SelfSubjectAccessReviewResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview")
            .createOnly()
            .build());
  }

  @Override
  void review(ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context) {
    AccessReviewEvaluation.check(spec, false, descriptor());
    AccessReviewEvaluation.answer(spec, context.user(), status, context);
  }
}
