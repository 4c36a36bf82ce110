package io.fairlead.insight.nodrop;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/// What happened to an endpoint while connections were made.
///
/// @param pod its name; empty when none is known
/// @param told when the pod was told to end
/// @param grace how long it had to end
/// @param ended when its process ended or its pod was gone
/// @param withdrawn when each node's rules no longer led there, by node
public record EndpointFate(
    String address,
    String pod,
    Optional<Instant> told,
    Duration grace,
    Optional<Instant> ended,
    Map<String, Instant> withdrawn) {
  public EndpointFate {
    withdrawn = Map.copyOf(withdrawn);
  }

  /// One that nothing happened to.
  public static EndpointFate of(String address, String pod) {
    return new EndpointFate(
        address, pod, Optional.empty(), Duration.ZERO, Optional.empty(), Map.of());
  }

  public EndpointFate told(Instant at, Duration time) {
    return new EndpointFate(address, pod, Optional.of(at), time, ended, withdrawn);
  }

  public EndpointFate ended(Instant at) {
    return new EndpointFate(address, pod, told, grace, Optional.of(at), withdrawn);
  }

  public EndpointFate withdrawn(String node, Instant at) {
    Map<String, Instant> all = new java.util.TreeMap<>(withdrawn);
    all.putIfAbsent(node, at);
    return new EndpointFate(address, pod, told, grace, ended, all);
  }
}
