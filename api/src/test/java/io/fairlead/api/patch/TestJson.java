package io.fairlead.api.patch;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON in tests, with single quotes.
final class TestJson {
  private TestJson() {}

  static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  static ObjectNode object(String text) {
    return (ObjectNode) json(text);
  }

  static ArrayNode list(String text) {
    return (ArrayNode) json(text);
  }
}
