package io.fairlead.dns.kubernetes;

import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.kubernetes.answer.AnswerOptions;
import io.fairlead.dns.kubernetes.answer.OwnZone;
import io.fairlead.dns.kubernetes.data.DataOptions;
import io.fairlead.dns.wire.Name;
import java.time.Duration;
import java.util.List;

/// The lines of a `kubernetes` block, read.
///
/// @param primary the first zone that is no reverse zone
/// @param maxStaleness how long the API may be away before this server calls itself not ready; zero
///   for ever
public record KubernetesOptions(
    List<Name> zones,
    Name primary,
    Fallthrough fallthrough,
    AnswerOptions.PodMode pods,
    boolean zonal,
    Duration maxStaleness,
    DataOptions data,
    ApiOptions api) {
  public KubernetesOptions {
    zones = List.copyOf(zones);
  }

  AnswerOptions answers(boolean recursive, boolean shuffle) {
    return new AnswerOptions(
        zones.stream().map(zone -> OwnZone.of(zone, falls(zone))).toList(),
        primary,
        pods,
        data.ttl(),
        zonal,
        recursive,
        shuffle);
  }

  private boolean falls(Name zone) {
    return fallthrough.through(zone);
  }
}
