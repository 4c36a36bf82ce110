package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Sees to it that the items of lists that are sets or maps can be told apart.
final class ListTypeCheck {
  private ListTypeCheck() {}

  static List<FieldError> check(JsonNode value, StructuralSchema schema) {
    List<FieldError> errors = new ArrayList<>();
    walk(value, schema, "", errors);
    return errors;
  }

  private static void walk(
      JsonNode value, @Nullable StructuralSchema schema, String path, List<FieldError> errors) {
    if (schema == null) {
      return;
    }
    if (value instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        walk(
            member.getValue(),
            schema.member(member.getKey()),
            SchemaValidator.child(path, member.getKey()),
            errors);
      }
    } else if (value instanceof ArrayNode list) {
      switch (schema.listType()) {
        case "set" -> set(list, path, errors);
        case "map" -> map(list, schema, path, errors);
        default -> {}
      }
      int index = 0;
      for (JsonNode item : list) {
        walk(item, schema.items(), path + "[" + index + "]", errors);
        index++;
      }
    }
  }

  private static void set(ArrayNode list, String path, List<FieldError> errors) {
    Set<JsonNode> seen = new HashSet<>();
    int index = 0;
    for (JsonNode item : list) {
      if (!seen.add(item)) {
        errors.add(FieldError.duplicate(path + "[" + index + "]", item));
      }
      index++;
    }
  }

  private static void map(
      ArrayNode list, StructuralSchema schema, String path, List<FieldError> errors) {
    Set<List<JsonNode>> seen = new HashSet<>();
    int index = 0;
    for (JsonNode item : list) {
      if (item.isObject() && !seen.add(OldItems.keys(item, schema))) {
        ObjectNode keys = Json.object();
        schema.listKeys().stream().filter(item::has).forEach(key -> keys.set(key, item.path(key)));
        errors.add(FieldError.duplicate(path + "[" + index + "]", keys));
      }
      index++;
    }
  }
}
