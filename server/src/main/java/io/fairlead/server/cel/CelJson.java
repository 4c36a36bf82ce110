package io.fairlead.server.cel;

import io.fairlead.api.json.Json;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Makes JSON of what an expression gave. An object that was made as `Object.spec` must stand where
/// its name says: as the member `spec` of an `Object`.
public final class CelJson {
  /// The type of one operation of a JSON patch.
  public static final String JSON_PATCH = "JSONPatch";

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private CelJson() {}

  /// @throws CelEvaluationException when there is no JSON for the value, or an object has another
  ///   place than its type says
  public static JsonNode of(Object value) {
    return value(value, value instanceof CelObject object ? object.type() : "");
  }

  /// @param type what an object in this place must be; empty when nothing says
  private static JsonNode value(Object value, String type) {
    return switch (value) {
      case Boolean flag -> NODES.booleanNode(flag);
      case Long number -> NODES.numberNode(number);
      case CelUint number -> NODES.numberNode(Long.parseUnsignedLong(number.toString()));
      case Double number -> NODES.numberNode(number);
      case String text -> NODES.stringNode(text);
      case CelObject object -> object(object, type.isEmpty() ? object.type() : type);
      case Map<?, ?> map -> {
        ObjectNode members = Json.object();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          if (!(entry.getKey() instanceof String key)) {
            throw new CelEvaluationException(
                "expected a string as key, but got " + CelValues.typeName(entry.getKey()));
          }
          members.set(key, value(entry.getValue(), type));
        }
        yield members;
      }
      case Iterable<?> list -> {
        ArrayNode items = Json.array();
        list.forEach(item -> items.add(value(item, type)));
        yield items;
      }
      case CelValues.NullValue _ -> NODES.nullNode();
      default ->
          throw new CelEvaluationException(
              "a value of type " + CelValues.typeName(value) + " cannot be converted to JSON");
    };
  }

  private static ObjectNode object(CelObject object, String type) {
    if (!object.type().equals(type)) {
      throw new CelEvaluationException(
          "type mismatch: unexpected type name \""
              + object.type()
              + "\", expected \""
              + type
              + "\", which matches field name path from root Object type");
    }
    ObjectNode members = Json.object();
    // What a patch writes is an object of its own, which may stand anywhere.
    boolean patch = type.equals(JSON_PATCH);
    object.forEach(
        (name, value) -> members.set(name, value(value, patch ? "" : type + "." + name)));
    return members;
  }
}
