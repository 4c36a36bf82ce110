package io.fairlead.api.patch;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Prints values the way the texts of some errors show them: `map[name:x port:80]`, `[a b]`.
public final class GoText {
  private GoText() {}

  public static String of(JsonNode value) {
    if (value instanceof ObjectNode object) {
      Map<String, String> members = new TreeMap<>();
      object.properties().forEach(member -> members.put(member.getKey(), of(member.getValue())));
      return members.entrySet().stream()
          .map(member -> member.getKey() + ":" + member.getValue())
          .collect(Collectors.joining(" ", "map[", "]"));
    }
    if (value instanceof ArrayNode list) {
      return StreamSupport.stream(list.spliterator(), false)
          .map(GoText::of)
          .collect(Collectors.joining(" ", "[", "]"));
    }
    return value.isNull() ? "<nil>" : value.asString();
  }

  /// The value as Go source has it: `map[string]interface {}{"a":1}`.
  public static String source(JsonNode value) {
    if (value instanceof ObjectNode object) {
      Map<String, String> members = new TreeMap<>();
      object
          .properties()
          .forEach(member -> members.put(member.getKey(), source(member.getValue())));
      return members.entrySet().stream()
          .map(member -> "\"" + member.getKey() + "\":" + member.getValue())
          .collect(Collectors.joining(", ", "map[string]interface {}{", "}"));
    }
    if (value instanceof ArrayNode list) {
      return StreamSupport.stream(list.spliterator(), false)
          .map(GoText::source)
          .collect(Collectors.joining(", ", "[]interface {}{", "}"));
    }
    if (value.isNull()) {
      return "interface {}(nil)";
    }
    return value.isString() ? value.toString() : value.asString();
  }

  /// What Go calls the type of a value that was read from JSON.
  public static String type(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "map[string]interface {}";
      case ARRAY -> "[]interface {}";
      case STRING -> "string";
      case BOOLEAN -> "bool";
      case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
      default -> "<nil>";
    };
  }
}
