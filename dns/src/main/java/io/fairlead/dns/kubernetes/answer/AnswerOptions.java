package io.fairlead.dns.kubernetes.answer;

import io.fairlead.dns.wire.Name;
import java.util.Comparator;
import java.util.List;

/// How questions are answered from the cluster's data.
///
/// @param zones longest first
/// @param primary the zone PTR records point into
/// @param recursive whether the server block forwards to other servers, which the RA bit says
/// @param shuffle whether records come in a new order each time
public record AnswerOptions(
    List<OwnZone> zones,
    Name primary,
    PodMode pods,
    int ttl,
    boolean zonal,
    boolean recursive,
    boolean shuffle) {

  /// Whether `10-244-3-99.harbor.pod` is a name.
  public enum PodMode {
    DISABLED,
    /// Every address is, without a lookup of the pods.
    INSECURE,
    /// Only those of pods in that namespace.
    VERIFIED
  }

  private static final int LONGEST_NEGATIVE = 300;

  public AnswerOptions {
    zones =
        zones.stream()
            .sorted(Comparator.comparingInt((OwnZone zone) -> zone.name().length()).reversed())
            .toList();
  }

  /// The time to live of a SOA record.
  public int soaTtl() {
    return Math.min(ttl, LONGEST_NEGATIVE);
  }
}
