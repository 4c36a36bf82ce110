package io.fairlead.server.resources.review;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// May that user do this in this namespace?
public final class LocalSubjectAccessReviewResource extends StoredResource {
  public LocalSubjectAccessReviewResource() {
    super(
        Describe.namespaced(
                "authorization.k8s.io", "localsubjectaccessreviews", "LocalSubjectAccessReview")
            .createOnly()
            .build(),
        NameRule.SUBDOMAIN);
  }
}
