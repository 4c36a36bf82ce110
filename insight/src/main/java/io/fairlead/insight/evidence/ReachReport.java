package io.fairlead.insight.evidence;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What came of connections to a Service and to its endpoints.
///
/// @param place from where: `pod client-0`, `node a`, `this machine`
public record ReachReport(String place, List<PortReach> ports) {
  /// How a connection went.
  public enum Outcome {
    ANSWERED,
    REFUSED,
    NO_ANSWER,
    UNREACHABLE
  }

  /// One connection.
  ///
  /// @param endpoint who answered, as `ADDRESS:PORT`; empty when that cannot be told
  public record Attempt(Outcome outcome, double millis, String endpoint) {}

  /// One port.
  ///
  /// @param front the address and port that were called
  /// @param through connections through the front
  /// @param direct one connection to each endpoint asked directly, by `ADDRESS:PORT`
  public record PortReach(
      String port, String front, List<Attempt> through, Map<String, Attempt> direct) {
    public PortReach {
      through = List.copyOf(through);
      direct = java.util.Collections.unmodifiableMap(new TreeMap<>(direct));
    }
  }

  public ReachReport {
    ports = List.copyOf(ports);
  }
}
