package io.fairlead.server.resources.policy;

import io.fairlead.server.resources.kind.Describe;
import io.fairlead.server.resources.kind.NameRule;
import io.fairlead.server.resources.kind.StoredResource;

/// How many pods of a set must stay up.
public final class PodDisruptionBudgetResource extends StoredResource {
  public PodDisruptionBudgetResource() {
    super(
        Describe.namespaced("policy", "poddisruptionbudgets", "PodDisruptionBudget")
            .shortNames("pdb")
            .build(),
        NameRule.SUBDOMAIN,
        Trait.STATUS,
        Trait.GENERATIONS,
        Trait.NEEDS_RESOURCE_VERSION);
  }
}
