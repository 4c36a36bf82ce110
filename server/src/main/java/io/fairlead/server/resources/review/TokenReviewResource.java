package io.fairlead.server.resources.review;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// Whose token is this?
public final class TokenReviewResource extends StoredResource {
  public TokenReviewResource() {
    super(
        Describe.cluster("authentication.k8s.io", "tokenreviews", "TokenReview")
            .createOnly()
            .build(),
        NameRule.SUBDOMAIN);
  }
}
