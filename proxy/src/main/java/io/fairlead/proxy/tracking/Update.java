package io.fairlead.proxy.tracking;

import io.fairlead.proxy.core.Plan;
import java.time.Instant;
import java.util.List;

/// A new plan and where it came from.
///
/// @param triggers when the changes in it happened in the world, as far as they say so
public record Update(Plan plan, List<Instant> triggers) {
  public Update {
    triggers = List.copyOf(triggers);
  }
}
