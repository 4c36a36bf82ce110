package io.fairlead.server.resources.review;

import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import tools.jackson.databind.node.ObjectNode;

/// May that user do this?
public final class SubjectAccessReviewResource extends ReviewResource {
  public SubjectAccessReviewResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview")
            .createOnly()
            .build());
  }

  @Override
  void review(ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context) {
    AccessReviewEvaluation.check(spec, true, descriptor());
    AccessReviewEvaluation.answer(spec, AccessReviewEvaluation.user(spec), status, context);
  }
}
