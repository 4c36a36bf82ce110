package io.fairlead.controller.workload;

import io.fairlead.api.json.Json;
import io.fairlead.client.objects.V1Times;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Points in time as objects spell them: whole seconds, UTC.
public final class Rfc3339Times {
  private Rfc3339Times() {}

  /// The time at a path; empty when there is none that can be read.
  public static Optional<Instant> at(JsonNode node, String... path) {
    return V1Times.parse(Json.textOr(node, "", path));
  }

  public static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
