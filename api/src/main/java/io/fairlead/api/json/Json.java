package io.fairlead.api.json;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The one place that configures JSON. Objects travel through the modules as Jackson trees while
/// they are worked on, and as bytes while they rest.
///
/// A tree handed to another method may be changed by it only where that method says so.
public final class Json {
  /// Deep enough for every real object, shallow enough that no stack is at risk.
  public static final int MAX_DEPTH = 200;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(100)
                          .maxStringLength(4 << 20)
                          .build())
                  .build())
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Json() {}

  public static JsonMapper mapper() {
    return MAPPER;
  }

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  /// Reads any JSON value. Throws Jackson's unchecked `JacksonException` on malformed input.
  public static JsonNode parse(byte[] bytes) {
    return MAPPER.readTree(bytes);
  }

  /// Reads bytes that are known to hold an object, such as stored ones.
  public static ObjectNode parseObject(byte[] bytes) {
    return (ObjectNode) MAPPER.readTree(bytes);
  }

  public static byte[] bytes(JsonNode node) {
    return MAPPER.writeValueAsBytes(node);
  }

  /// The text at a path of object keys, or null when a step is missing or the leaf is no string.
  public static @Nullable String text(JsonNode node, String... path) {
    JsonNode at = at(node, path);
    return at.isString() ? at.stringValue() : null;
  }

  /// The text at a path, or the given value when it is missing.
  public static String textOr(JsonNode node, String otherwise, String... path) {
    String found = text(node, path);
    return found == null ? otherwise : found;
  }

  /// The node at a path of object keys; a missing node when a step is missing. Never null.
  public static JsonNode at(JsonNode node, String... path) {
    JsonNode at = node;
    for (String step : path) {
      at = at.path(step);
    }
    return at;
  }

  /// The object under that key, made when it is missing or not an object.
  public static ObjectNode child(ObjectNode parent, String key) {
    return parent.get(key) instanceof ObjectNode found ? found : parent.putObject(key);
  }

  /// Removes every member of an object whose value is null, all the way down; list items stay.
  public static void dropNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      for (Iterator<JsonNode> values = object.values().iterator(); values.hasNext(); ) {
        JsonNode value = values.next();
        if (value.isNull()) {
          values.remove();
        } else {
          dropNulls(value);
        }
      }
    } else if (node instanceof ArrayNode list) {
      list.forEach(Json::dropNulls);
    }
  }
}
