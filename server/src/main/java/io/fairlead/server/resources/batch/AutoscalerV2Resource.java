package io.fairlead.server.resources.batch;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// How many replicas there shall be, by measurement.
public final class AutoscalerV2Resource extends StoredResource {
  public AutoscalerV2Resource() {
    super(
        Describe.namespaced("autoscaling", "horizontalpodautoscalers", "HorizontalPodAutoscaler")
            .version("v2")
            .shortNames("hpa")
            .categories("all")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS);
  }
}
