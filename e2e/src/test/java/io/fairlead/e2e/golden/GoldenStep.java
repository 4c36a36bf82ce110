package io.fairlead.e2e.golden;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// One recorded step: a request and the answer the original gave.
///
/// @param file the area, `services`
/// @param raw the step as it stands in the file
record GoldenStep(String file, JsonNode raw) {

  String scenario() {
    return Json.textOr(raw, "", "scenario");
  }

  String name() {
    return Json.textOr(raw, "", "name");
  }

  /// How the list of differences names this step.
  String id() {
    return file + " / " + scenario() + " / " + name();
  }

  /// Compacts the store instead of sending a request.
  boolean isCompaction() {
    return "compact".equals(Json.text(raw, "action"));
  }

  boolean flag(String key) {
    return raw.path(key).asBoolean(false);
  }

  double seconds(String key) {
    return raw.path(key).asDouble(0);
  }

  static List<GoldenStep> read(String file) {
    String path = "/golden/api/" + file + ".json";
    try (InputStream in = GoldenStep.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalArgumentException("no recording " + path);
      }
      List<GoldenStep> steps = new ArrayList<>();
      Json.parse(in.readAllBytes()).forEach(step -> steps.add(new GoldenStep(file, step)));
      return steps;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
