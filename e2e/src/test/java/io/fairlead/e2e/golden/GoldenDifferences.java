package io.fairlead.e2e.golden;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// Where Fairlead answers differently from the original on purpose. Each row of `decided/api.json`
/// has the id of a step (`file / scenario / name`), the reason, and the decided answer in the form
/// of a recording's `expect`, which the answer is compared with.
final class GoldenDifferences {
  private static final Map<String, JsonNode> DECIDED = read();

  private GoldenDifferences() {}

  /// The decided answer to this step; empty when the recorded one holds.
  static Optional<JsonNode> decided(String id) {
    return Optional.ofNullable(DECIDED.get(id)).map(row -> row.path("expect"));
  }

  /// The ids of all steps with a decided answer.
  static Set<String> steps() {
    return DECIDED.keySet();
  }

  private static Map<String, JsonNode> read() {
    Map<String, JsonNode> rows = new LinkedHashMap<>();
    try (InputStream in = GoldenDifferences.class.getResourceAsStream("/decided/api.json")) {
      for (JsonNode row : Json.parse(Objects.requireNonNull(in).readAllBytes())) {
        rows.put(Json.textOr(row, "", "step"), row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }
}
