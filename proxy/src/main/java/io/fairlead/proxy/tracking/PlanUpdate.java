package io.fairlead.proxy.tracking;

import io.fairlead.proxy.core.Plan;
import java.time.Instant;
import java.util.List;

/// A new plan and where it came from.
///
/// @param triggers when the changes in it happened in the world, as far as they say so
/// @param slices the newest version of a slice in it; empty before the first one
/// @param services the newest version of a Service in it; empty before the first one
public record PlanUpdate(Plan plan, List<Instant> triggers, String slices, String services) {
  public PlanUpdate {
    triggers = List.copyOf(triggers);
  }
}
