package io.fairlead.server.resources.batch;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// The same autoscalers in their older shape.
public final class AutoscalerV1Resource extends StoredResource {
  public AutoscalerV1Resource() {
    super(
        Describe.namespaced("autoscaling", "horizontalpodautoscalers", "HorizontalPodAutoscaler")
            .shortNames("hpa")
            .categories("all")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
