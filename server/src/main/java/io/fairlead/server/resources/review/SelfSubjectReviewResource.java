package io.fairlead.server.resources.review;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Who am I?
public final class SelfSubjectReviewResource extends StoredResource {
  public SelfSubjectReviewResource() {
    super(
        Describe.cluster("authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview")
            .createOnly()
            .build(),
        NameRule.SUBDOMAIN);
  }
}
