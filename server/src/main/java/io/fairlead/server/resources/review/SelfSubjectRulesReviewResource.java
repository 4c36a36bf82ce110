package io.fairlead.server.resources.review;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// What may I do in a namespace?
public final class SelfSubjectRulesReviewResource extends StoredResource {
  public SelfSubjectRulesReviewResource() {
    super(
        Describe.cluster(
                "authorization.k8s.io", "selfsubjectrulesreviews", "SelfSubjectRulesReview")
            .createOnly()
            .build(),
        NameRule.SUBDOMAIN);
  }
}
