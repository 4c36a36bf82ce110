package io.fairlead.controller.serving;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Reads objects and keeps little of them. Texts that many objects repeat (label keys, node names)
/// are kept once for all.
final class Slim {
  private Slim() {}

  /// The metadata without owners and finalizers, which nobody here looks at.
  static ObjectMeta metadata(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObjectMeta(
        new ObjectKey(shared(metadata, "namespace"), Json.textOr(metadata, "", "name")),
        Json.textOr(metadata, "", "uid"),
        Json.textOr(metadata, "", "resourceVersion"),
        metadata.path("generation").asLong(0),
        texts(metadata.path("labels")),
        List.of(),
        List.of(),
        Optional.ofNullable(Json.text(metadata, "deletionTimestamp")));
  }

  /// The text at a path, empty when there is none, equal texts being one object.
  static String shared(JsonNode node, String... path) {
    return Json.textOr(node, "", path).intern();
  }

  /// An object of texts, such as labels.
  static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = new LinkedHashMap<>();
    object
        .properties()
        .forEach(
            entry -> texts.put(entry.getKey().intern(), entry.getValue().asString("").intern()));
    return texts;
  }

  /// The moment at a path; empty when it is missing or no time.
  static Optional<Instant> time(JsonNode node, String... path) {
    String text = Json.text(node, path);
    if (text == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
