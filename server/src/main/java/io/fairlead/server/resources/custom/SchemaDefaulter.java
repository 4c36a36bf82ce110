package io.fairlead.server.resources.custom;

import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Fills in the defaults of a schema. A null where none may be counts as missing: it becomes the
/// default, or goes where there is no default.
final class SchemaDefaulter {
  private SchemaDefaulter() {}

  /// Changes the value.
  static void apply(JsonNode value, @Nullable StructuralSchema schema) {
    if (schema == null) {
      return;
    }
    if (value instanceof ObjectNode object) {
      members(object, schema);
    } else if (value instanceof ArrayNode list) {
      items(list, schema.items());
    }
  }

  private static void members(ObjectNode object, StructuralSchema schema) {
    dropForbiddenNulls(object, schema);
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      JsonNode given = property.getValue().defaultValue();
      if (given != null && !object.has(property.getKey())) {
        object.set(property.getKey(), given.deepCopy());
      }
    }
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      apply(member.getValue(), schema.member(member.getKey()));
    }
  }

  private static void dropForbiddenNulls(ObjectNode object, StructuralSchema schema) {
    for (Iterator<Map.Entry<String, JsonNode>> members = object.properties().iterator();
        members.hasNext(); ) {
      Map.Entry<String, JsonNode> member = members.next();
      if (!member.getValue().isNull()) {
        continue;
      }
      StructuralSchema inner = schema.member(member.getKey());
      if (inner == null || inner.nullable()) {
        continue;
      }
      JsonNode given = inner.defaultValue();
      if (given != null) {
        member.setValue(given.deepCopy());
      } else if (schema.properties().containsKey(member.getKey())) {
        members.remove();
      }
    }
  }

  private static void items(ArrayNode list, @Nullable StructuralSchema schema) {
    if (schema == null) {
      return;
    }
    for (int at = 0; at < list.size(); at++) {
      JsonNode given = schema.defaultValue();
      if (list.get(at).isNull() && !schema.nullable() && given != null) {
        list.set(at, given.deepCopy());
      }
      apply(list.get(at), schema);
    }
  }
}
