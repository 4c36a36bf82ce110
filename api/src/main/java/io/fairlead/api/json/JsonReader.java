package io.fairlead.api.json;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Reads JSON that a client sent: like [Json#parse], but names every repeated member, refuses what
/// follows the value, and throws only [DecodeException].
///
/// Of a repeated member the last value wins, as in Go.
public final class JsonReader {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /// More repeated members than these are not reported.
  private static final int MAX_DUPLICATES = 100;

  private final JsonParser parser;
  private final List<String> duplicates = new ArrayList<>();
  private final StringBuilder path = new StringBuilder();

  private JsonReader(JsonParser parser) {
    this.parser = parser;
  }

  /// A value and the paths of members that were given more than once, `spec.ports[0].port`.
  public record Parsed(JsonNode value, List<String> duplicates) {}

  public static Parsed read(byte[] bytes) {
    try (JsonParser parser = Json.mapper().createParser(bytes)) {
      JsonReader reader = new JsonReader(parser);
      if (parser.nextToken() == null) {
        throw new DecodeException("the body is empty, expected a JSON object");
      }
      JsonNode value = reader.value();
      if (parser.nextToken() != null) {
        throw new DecodeException("invalid JSON: more data after the end of the object");
      }
      return new Parsed(value, List.copyOf(reader.duplicates));
    } catch (JacksonException e) {
      throw new DecodeException("invalid JSON: " + explained(e));
    }
  }

  private JsonNode value() {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> list();
      case VALUE_STRING -> NODES.stringNode(parser.getString());
      case VALUE_NUMBER_INT -> integer();
      case VALUE_NUMBER_FLOAT -> decimal();
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      default -> throw new DecodeException("invalid JSON: unexpected " + token);
    };
  }

  private ObjectNode object() {
    ObjectNode object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      int before = path.length();
      path.append(before == 0 ? "" : ".").append(name);
      parser.nextToken();
      if (object.replace(name, value()) != null && duplicates.size() < MAX_DUPLICATES) {
        duplicates.add(path.toString());
      }
      path.setLength(before);
    }
    return object;
  }

  private ArrayNode list() {
    ArrayNode list = NODES.arrayNode();
    int before = path.length();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      path.append('[').append(list.size()).append(']');
      list.add(value());
      path.setLength(before);
    }
    return list;
  }

  private JsonNode integer() {
    return switch (parser.getNumberType()) {
      case INT -> NODES.numberNode(parser.getIntValue());
      case LONG -> NODES.numberNode(parser.getLongValue());
      default -> NODES.numberNode(parser.getBigIntegerValue());
    };
  }

  private JsonNode decimal() {
    double value = parser.getDoubleValue();
    if (Double.isInfinite(value)) {
      throw new DecodeException("invalid JSON: the number at " + path + " is too large");
    }
    return NODES.numberNode(value);
  }

  /// Jackson's own sentence, without the parts that speak of Java.
  private static String explained(JacksonException e) {
    String what = e.getOriginalMessage();
    int end = what.indexOf('\n');
    if (end >= 0) {
      what = what.substring(0, end);
    }
    int where = what.indexOf(", from `");
    if (where >= 0) {
      what = what.substring(0, where) + ")";
    }
    TokenStreamLocation at = e.getLocation();
    return at == null || at.getLineNr() < 1
        ? what
        : what + " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
  }
}
