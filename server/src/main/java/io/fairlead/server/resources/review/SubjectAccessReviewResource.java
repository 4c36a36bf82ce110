package io.fairlead.server.resources.review;

import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Describe;
import tools.jackson.databind.node.ObjectNode;

/// May that user do this?
public final class SubjectAccessReviewResource extends ReviewResource {
  public SubjectAccessReviewResource() {
    super(
        Describe.cluster("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview")
            .createOnly()
            .build());
  }

  @Override
  void review(ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context) {
    AccessQuestion.check(spec, true, descriptor());
    AccessQuestion.answer(spec, AccessQuestion.user(spec), status, context);
  }
}
