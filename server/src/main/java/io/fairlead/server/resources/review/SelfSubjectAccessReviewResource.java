package io.fairlead.server.resources.review;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// May I do this?
public final class SelfSubjectAccessReviewResource extends StoredResource {
  public SelfSubjectAccessReviewResource() {
    super(
        Describe.cluster(
                "authorization.k8s.io", "selfsubjectaccessreviews", "SelfSubjectAccessReview")
            .createOnly()
            .build(),
        NameRule.SUBDOMAIN);
  }
}
