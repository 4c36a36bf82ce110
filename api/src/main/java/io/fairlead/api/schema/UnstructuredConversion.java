package io.fairlead.api.schema;

import io.fairlead.api.json.DecodeException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Makes a tree of plain maps ready for a type, as strategic merge patches and server-side apply
/// turn their results into Go structs: by conversion of values, not by decoding of JSON.
///
/// The sentences about values that do not fit are therefore others than those of [Conformer], which
/// comes afterwards. A whole number that is too big loses its upper bits, as in Go.
public final class UnstructuredConversion {
  private UnstructuredConversion() {}

  /// Changes the tree where a number is cut; throws [DecodeException] for the first value that does
  /// not fit.
  public static void convert(ObjectNode tree, StructType type) {
    struct(tree, type);
  }

  private static void struct(ObjectNode object, StructType type) {
    List<Field> fields = new ArrayList<>(type.fields());
    fields.sort(Comparator.comparingInt(Field::number));
    for (Field field : fields) {
      JsonNode value = object.get(field.name());
      if (value != null && !value.isNull()) {
        object.set(field.name(), value(value, field.type(), field.goType()));
      }
    }
  }

  private static JsonNode value(JsonNode value, Type type, String goType) {
    if (value.isNull()) {
      return value;
    }
    return switch (type) {
      case Type.Scalar(ScalarKind kind) -> scalar(value, kind, goType);
      case StructType struct -> {
        if (!(value instanceof ObjectNode object)) {
          throw new DecodeException("cannot restore struct from: " + kindOf(value));
        }
        struct(object, struct);
        yield value;
      }
      case Type.ListOf(Type element) -> {
        if (!(value instanceof ArrayNode list)) {
          throw new DecodeException("cannot restore slice from " + kindOf(value));
        }
        String inner = goType.startsWith("[]") ? goType.substring(2) : "";
        for (int at = 0; at < list.size(); at++) {
          list.set(at, value(list.get(at), element, inner));
        }
        yield value;
      }
      case Type.MapOf(Type element) -> {
        if (!(value instanceof ObjectNode object)) {
          throw new DecodeException("cannot restore map from " + kindOf(value));
        }
        String inner = goType.startsWith("map[") ? goType.substring(goType.indexOf(']') + 1) : "";
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
          entry.setValue(value(entry.getValue(), element, inner));
        }
        yield value;
      }
    };
  }

  private static JsonNode scalar(JsonNode value, ScalarKind kind, String goType) {
    return switch (kind) {
      case STRING -> {
        if (value.isString()) {
          yield value;
        }
        if (value.isIntegralNumber()) {
          throw new DecodeException(
              "cannot convert int64 to " + (goType.isEmpty() ? "string" : goType));
        }
        throw new DecodeException("unrecognized type: string");
      }
      case BOOLEAN -> {
        if (!value.isBoolean()) {
          throw new DecodeException("unrecognized type: bool");
        }
        yield value;
      }
      case INT32, INT64 -> number(value, kind);
      case DOUBLE -> {
        if (!value.isNumber()) {
          throw new DecodeException("unrecognized type: float64");
        }
        yield value;
      }
      case BYTES -> {
        if (!value.isString()) {
          throw new DecodeException("cannot restore slice from " + kindOf(value));
        }
        try {
          yield value(value, kind);
        } catch (DecodeException e) {
          throw new DecodeException("error decoding from json: " + e.getMessage());
        }
      }
      case TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING -> value(value, kind);
      case ANY -> value;
    };
  }

  private static JsonNode number(JsonNode value, ScalarKind kind) {
    String name = kind == ScalarKind.INT32 ? "int32" : "int64";
    if (!value.isNumber()) {
      throw new DecodeException("unrecognized type: " + name);
    }
    double given = value.doubleValue();
    if (!value.isIntegralNumber() && given != Math.rint(given)) {
      throw new DecodeException("cannot convert float64 to " + name);
    }
    if (value.isIntegralNumber() && kind == ScalarKind.INT32 && value.canConvertToLong()) {
      return value.canConvertToInt()
          ? value
          : JsonNodeFactory.instance.numberNode((int) value.longValue());
    }
    return value;
  }

  /// A value that decodes itself from JSON.
  private static JsonNode value(JsonNode value, ScalarKind kind) {
    JsonNode canonical = Scalars.canonical(kind, value);
    if (canonical == null) {
      throw new DecodeException(
          "json: cannot unmarshal "
              + (value.isNumber() && kind != ScalarKind.INT_OR_STRING
                  ? "number"
                  : Conformer.shown(value))
              + " into Go value of type "
              + Scalars.goName(kind));
    }
    return canonical;
  }

  private static String kindOf(JsonNode value) {
    return switch (value.getNodeType()) {
      case STRING -> "string";
      case BOOLEAN -> "bool";
      case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
      case ARRAY -> "slice";
      default -> "map";
    };
  }
}
