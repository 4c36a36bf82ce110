package io.fairlead.api.apply;

import io.fairlead.api.patch.GoText;
import io.fairlead.api.schema.ScalarKind;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The fields of an object that a manager applies, and what is wrong with it.
///
/// @param fields all it sets
/// @param problems unknown fields, wrong types and items that cannot be told apart, each with its
///   path in front
record AppliedFields(FieldSet fields, List<String> problems) {

  static AppliedFields of(ObjectNode object, StructType type) {
    Walk walk = new Walk();
    FieldSet fields = new FieldSet();
    walk.members(fields, object, Shape.of(type), "");
    return new AppliedFields(fields, List.copyOf(walk.problems));
  }

  private static final class Walk {
    private final List<String> problems = new ArrayList<>();

    private void value(FieldSet at, JsonNode value, Shape shape, String path) {
      if (!shape.fits(value)) {
        if (shape.isFree()) {
          at.own();
          return;
        }
        boolean object = shape.kind() == Shape.Kind.STRUCT || shape.kind() == Shape.Kind.MAP;
        problems.add(path + ": expected " + (object ? "map" : "list") + ", got " + boxed(value));
        return;
      }
      switch (shape.kind()) {
        case LEAF -> {
          leaf(value, shape, path);
          at.own();
        }
        case STRUCT, MAP -> {
          members(at, (ObjectNode) value, shape, path);
          if (value.isEmpty()) {
            at.own();
          }
        }
        case KEYED, SET -> items(at, (ArrayNode) value, shape, path);
      }
    }

    private void members(FieldSet at, ObjectNode object, Shape shape, String path) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        String there = path + "." + member.getKey();
        Shape inner = shape.member(member.getKey());
        if (inner == null) {
          problems.add(there + ": field not declared in schema");
        } else {
          FieldSet child = at.child(PathElement.field(member.getKey()));
          value(child, member.getValue(), inner, there);
          if (shape.kind() == Shape.Kind.MAP) {
            child.own();
          }
        }
      }
    }

    private void items(FieldSet at, ArrayNode list, Shape shape, String path) {
      Set<PathElement> seen = new HashSet<>();
      int index = 0;
      for (JsonNode item : list) {
        PathElement element =
            (shape.kind() == Shape.Kind.SET
                    ? item.isValueNode() && !item.isNull()
                    : item.isObject())
                ? shape.element(item)
                : null;
        if (element == null) {
          problems.add(path + ": element " + index + ": " + unkeyed(item, shape));
        } else {
          if (!seen.add(element)) {
            problems.add(path + ": duplicate entries for key " + element);
          }
          FieldSet child = at.child(element);
          value(child, item, shape.item(), path + element);
          child.own();
        }
        index++;
      }
      if (list.isEmpty()) {
        at.own();
      }
    }

    private static String unkeyed(JsonNode item, Shape shape) {
      if (shape.kind() == Shape.Kind.SET) {
        return switch (item.getNodeType()) {
          case ARRAY -> "not supported: associative list with lists as elements";
          case OBJECT -> "associative list without keys has an element that's a map type";
          default -> "associative list without keys has an element that's an explicit null";
        };
      }
      if (item.isNull()) {
        return "associative list with keys may not have a null element";
      }
      if (item.isObject() && shape.lacksAllKeys(item)) {
        return "associative list with keys has an element that omits all key fields "
            + shape.keys().stream()
                .map(key -> "\"" + key + "\"")
                .toList()
                .toString()
                .replace(",", "")
            + " (and doesn't have default values for any key fields)";
      }
      return item.isObject()
          ? "associative list with keys has an element that omits key field \""
              + shape.missingKey(item)
              + "\" (and doesn't have default value)"
          : "associative list with keys may not have non-map elements";
    }

    private void leaf(JsonNode value, Shape shape, String path) {
      switch (shape.type()) {
        case Type.Scalar(ScalarKind kind) -> {
          String problem = problem(kind, value);
          if (!problem.isEmpty()) {
            problems.add(path + ": expected " + problem);
          }
        }
        case Type.ListOf(Type element) -> {
          if (!(value instanceof ArrayNode list)) {
            problems.add(path + ": expected list, got " + boxed(value));
          } else {
            inside(list, element, path);
          }
        }
        // An atomic object is owned whole, but its fields must exist all the same.
        case StructType struct -> {
          if (value instanceof ObjectNode object) {
            members(new FieldSet(), object, new Shape(Shape.Kind.STRUCT, struct, List.of()), path);
          } else {
            problems.add(path + ": expected map, got " + boxed(value));
          }
        }
        case Type.MapOf map -> {
          if (value instanceof ObjectNode object) {
            members(new FieldSet(), object, new Shape(Shape.Kind.MAP, map, List.of()), path);
          } else {
            problems.add(path + ": expected map, got " + boxed(value));
          }
        }
      }
    }

    private void inside(ArrayNode list, Type element, String path) {
      int index = 0;
      for (JsonNode item : list) {
        if (!item.isNull()) {
          value(new FieldSet(), item, Shape.of(element), path + "[" + index + "]");
        }
        index++;
      }
    }

    /// What is wrong with a scalar; values that read themselves from JSON come later.
    private static String problem(ScalarKind kind, JsonNode value) {
      return switch (kind) {
        case STRING, BYTES, DURATION ->
            value.isString()
                ? ""
                : "string, got &value.valueUnstructured{Value:" + GoText.source(value) + "}";
        case BOOLEAN -> value.isBoolean() ? "" : "boolean, got " + boxed(value);
        case INT32, INT64, DOUBLE ->
            value.isNumber() ? "" : "numeric (int or float), got " + GoText.type(value);
        case TIME, MICRO_TIME, QUANTITY ->
            value.isContainer() ? "any scalar, got " + boxed(value) : "";
        case INT_OR_STRING, ANY -> "";
      };
    }

    private static String boxed(JsonNode value) {
      return "&{" + GoText.of(value) + "}";
    }
  }
}
