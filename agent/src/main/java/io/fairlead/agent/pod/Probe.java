package io.fairlead.agent.pod;

import java.time.Duration;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// A question asked of a container again and again.
///
/// @param successThreshold answers in a row that make it well
/// @param failureThreshold answers in a row that make it ill
/// @param grace how long a container killed because of it gets; empty for what the pod says
public record Probe(
    HandlerAction action,
    Duration initialDelay,
    Duration period,
    Duration timeout,
    int successThreshold,
    int failureThreshold,
    Optional<Duration> grace) {
  /// What is asked: has it begun, does it live, can it serve.
  public enum Kind {
    STARTUP("Startup"),
    LIVENESS("Liveness"),
    READINESS("Readiness");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /// As events begin with it.
    public String word() {
      return word;
    }
  }

  static Optional<Probe> of(JsonNode probe) {
    return HandlerAction.of(probe)
        .map(
            action ->
                new Probe(
                    action,
                    Duration.ofSeconds(probe.path("initialDelaySeconds").asLong(0)),
                    Duration.ofSeconds(Math.max(1, probe.path("periodSeconds").asLong(10))),
                    Duration.ofSeconds(Math.max(1, probe.path("timeoutSeconds").asLong(1))),
                    Math.max(1, probe.path("successThreshold").asInt(1)),
                    Math.max(1, probe.path("failureThreshold").asInt(3)),
                    probe.has("terminationGracePeriodSeconds")
                        ? Optional.of(
                            Duration.ofSeconds(
                                probe.path("terminationGracePeriodSeconds").asLong(0)))
                        : Optional.empty()));
  }
}
