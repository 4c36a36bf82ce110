package io.fairlead.server.resources.review;

import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import java.time.temporal.ChronoUnit;
import tools.jackson.databind.node.ObjectNode;

/// Who am I?
public final class SelfSubjectReviewResource extends ReviewResource {
  public SelfSubjectReviewResource() {
    super(
        ResourceDescriptorBuilder.cluster(
                "authentication.k8s.io", "selfsubjectreviews", "SelfSubjectReview")
            .createOnly()
            .build());
  }

  @Override
  void review(ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context) {
    metadata.put(
        "creationTimestamp", context.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString());
    showUser(status.putObject("userInfo"), context.user());
  }
}
