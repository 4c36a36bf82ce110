package io.fairlead.api.patch;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Equality of JSON values as people see it: `1` and `1.0` are the same number, whatever Java type
/// holds them, and the order of members does not count.
public final class JsonEquality {
  private JsonEquality() {}

  public static boolean value(JsonNode one, JsonNode two) {
    if (one instanceof ObjectNode left && two instanceof ObjectNode right) {
      return object(left, right);
    }
    if (one instanceof ArrayNode left && two instanceof ArrayNode right) {
      return list(left, right);
    }
    if (one.isNumber() && two.isNumber()) {
      if (isLong(one) && isLong(two)) {
        return one.longValue() == two.longValue();
      }
      return one.decimalValue().compareTo(two.decimalValue()) == 0;
    }
    return one.equals(two);
  }

  private static boolean isLong(JsonNode number) {
    return number.isIntegralNumber() && number.canConvertToLong();
  }

  private static boolean object(ObjectNode left, ObjectNode right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (Map.Entry<String, JsonNode> member : left.properties()) {
      JsonNode other = right.get(member.getKey());
      if (other == null || !value(member.getValue(), other)) {
        return false;
      }
    }
    return true;
  }

  private static boolean list(ArrayNode left, ArrayNode right) {
    if (left.size() != right.size()) {
      return false;
    }
    for (int i = 0; i < left.size(); i++) {
      if (!value(left.get(i), right.get(i))) {
        return false;
      }
    }
    return true;
  }
}
