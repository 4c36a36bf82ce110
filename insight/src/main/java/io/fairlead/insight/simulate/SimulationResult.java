package io.fairlead.insight.simulate;

import io.fairlead.insight.finding.Sentence;
import java.util.List;

/// What changes would do to a cluster.
///
/// @param services those for which anything changes
/// @param all how many Services there would be
/// @param ignored objects of files that make no difference to Services
/// @param notes what would be different for all Services
public record SimulationResult(
    List<ServiceEffect> services, int all, List<String> ignored, List<Sentence> notes) {
  public SimulationResult {
    services = List.copyOf(services);
    ignored = List.copyOf(ignored);
    notes = List.copyOf(notes);
  }

  /// Those with a change that clients can notice.
  public List<ServiceEffect> noticeable() {
    return services.stream().filter(ServiceEffect::isNoticeable).toList();
  }

  /// Whether a fault would arise that is not there now.
  public boolean breaks() {
    return services.stream().anyMatch(ServiceEffect::breaks);
  }
}
