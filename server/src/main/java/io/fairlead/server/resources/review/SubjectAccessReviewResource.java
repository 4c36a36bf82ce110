package io.fairlead.server.resources.review;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// May that user do this?
public final class SubjectAccessReviewResource extends StoredResource {
  public SubjectAccessReviewResource() {
    super(
        Describe.cluster("authorization.k8s.io", "subjectaccessreviews", "SubjectAccessReview")
            .createOnly()
            .build(),
        NameRule.SUBDOMAIN);
  }
}
