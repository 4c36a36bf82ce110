package io.fairlead.server.resources.custom;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// JSON values as schemas see them: 1 and 1.0 are the same number, and a whole one.
final class JsonValues {
  private JsonValues() {}

  /// `object`, `array`, `string`, `boolean`, `integer`, `number`, `null`.
  static String type(JsonNode value) {
    return switch (value.getNodeType()) {
      case OBJECT -> "object";
      case ARRAY -> "array";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
      default -> "null";
    };
  }

  static boolean isWhole(JsonNode value) {
    return value.isNumber()
        && (value.isIntegralNumber() || value.decimalValue().stripTrailingZeros().scale() <= 0);
  }

  static boolean same(JsonNode one, JsonNode two) {
    if (one.isNumber() && two.isNumber()) {
      return one.decimalValue().compareTo(two.decimalValue()) == 0;
    }
    if (one.getNodeType() != two.getNodeType() || one.size() != two.size()) {
      return false;
    }
    if (one.isObject()) {
      for (Map.Entry<String, JsonNode> member : one.properties()) {
        JsonNode other = two.get(member.getKey());
        if (other == null || !same(member.getValue(), other)) {
          return false;
        }
      }
      return true;
    }
    if (one.isArray()) {
      for (int at = 0; at < one.size(); at++) {
        if (!same(one.get(at), two.get(at))) {
          return false;
        }
      }
      return true;
    }
    return one.equals(two);
  }

  static JsonNode number(long number) {
    return JsonNodeFactory.instance.numberNode(number);
  }

  /// A value as Go prints it.
  static String plain(JsonNode value) {
    return value.isNumber()
        ? value.decimalValue().stripTrailingZeros().toPlainString()
        : value.asString(value.toString());
  }

  static JsonNode text(String text) {
    return JsonNodeFactory.instance.stringNode(text);
  }
}
