package io.fairlead.api.schema;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes the zeros that Go writes: a required text that is missing is an empty one, a required
/// number 0. Runs over an object that is valid, right before it is stored.
public final class ZeroValues {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ZeroValues() {}

  /// Changes the object.
  public static void complete(ObjectNode object, StructType type) {
    for (Field field : type.fields()) {
      JsonNode value = object.get(field.name());
      if (value != null && !value.isNull()) {
        descend(value, field.type());
      } else if (field.written() && field.type() instanceof Type.Scalar scalar) {
        JsonNode zero = zero(scalar.kind());
        if (zero != null) {
          object.set(field.name(), zero);
        }
      }
    }
  }

  private static void descend(JsonNode value, Type type) {
    switch (type) {
      case StructType struct -> {
        if (value instanceof ObjectNode object) {
          complete(object, struct);
        }
      }
      case Type.ListOf list -> {
        if (!(list.element() instanceof Type.Scalar)) {
          value.forEach(item -> descend(item, list.element()));
        }
      }
      case Type.MapOf map -> {
        if (!(map.value() instanceof Type.Scalar)) {
          for (Map.Entry<String, JsonNode> entry : value.properties()) {
            descend(entry.getValue(), map.value());
          }
        }
      }
      case Type.Scalar _ -> {
        // A leaf that is there stays.
      }
    }
  }

  private static @Nullable JsonNode zero(ScalarKind kind) {
    return switch (kind) {
      case STRING -> NODES.stringNode("");
      case BOOLEAN -> NODES.booleanNode(false);
      case INT32, INT64 -> NODES.numberNode(0);
      case DOUBLE, BYTES, TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY, ANY -> null;
    };
  }
}
