package io.fairlead.server.render;

import io.fairlead.api.json.Json;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.node.ObjectNode;

/// JSON for people: on many lines.
final class IndentedJson {
  private static final ObjectWriter WRITER =
      Json.mapper()
          .writer()
          .with(SerializationFeature.INDENT_OUTPUT)
          .without(StreamWriteFeature.AUTO_CLOSE_TARGET);

  private IndentedJson() {}

  static byte[] bytes(JsonNode tree) {
    return WRITER.writeValueAsBytes(tree);
  }

  /// Writes a list item by item: a list of everything is large, and ten times larger as a tree.
  /// Ends with a line end; the stream stays open.
  ///
  /// @param member the name under which the items stand, behind all members of `head`
  static <T> void list(
      OutputStream out,
      ObjectNode head,
      String member,
      List<T> items,
      Function<T, JsonNode> shown) {
    try (JsonGenerator json = WRITER.createGenerator(out)) {
      json.writeStartObject();
      for (Map.Entry<String, JsonNode> each : head.properties()) {
        json.writeName(each.getKey());
        json.writeTree(each.getValue());
      }
      json.writeName(member);
      json.writeStartArray();
      for (T item : items) {
        json.writeTree(shown.apply(item));
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeRaw('\n');
    }
  }
}
