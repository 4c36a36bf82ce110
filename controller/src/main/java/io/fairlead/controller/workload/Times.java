package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Points in time as objects spell them: whole seconds, UTC.
public final class Times {
  private Times() {}

  /// The time at a path; empty when there is none that can be read.
  public static Optional<Instant> at(JsonNode node, String... path) {
    String text = Json.textOr(node, "", path);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  public static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
