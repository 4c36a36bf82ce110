package io.fairlead.server.resources.custom;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Takes away the fields that a schema does not know.
///
/// How it works: one walk along the schema. A field stays when it has a schema, when all other
/// members have one, or when the schema preserves what it does not know; below such a field the
/// walk goes on only where there is a schema again. An embedded object keeps its kind and metadata.
final class UnknownFieldPruner {
  static final Set<String> IDENTITY = Set.of("apiVersion", "kind", "metadata");

  /// No more of them are reported to the client.
  private static final int MOST = 100;

  private final List<String> removed = new ArrayList<>();

  private UnknownFieldPruner() {}

  /// Changes a whole object. Returns the paths of what was taken away, sorted.
  static List<String> prune(ObjectNode object, StructuralSchema schema) {
    UnknownFieldPruner pruner = new UnknownFieldPruner();
    pruner.object(object, schema, true, "");
    return pruner.removed.stream().sorted().toList();
  }

  /// The same for a value inside an object, such as a default.
  static List<String> pruneValue(JsonNode value, StructuralSchema schema) {
    UnknownFieldPruner pruner = new UnknownFieldPruner();
    pruner.value(value, schema, "");
    return pruner.removed.stream().sorted().toList();
  }

  private void value(JsonNode value, @Nullable StructuralSchema schema, String path) {
    if (value instanceof ObjectNode object) {
      object(object, schema, schema != null && schema.embedded(), path);
    } else if (value instanceof ArrayNode list) {
      list(list, schema == null ? null : schema.items(), keepsItems(schema), path);
    }
  }

  private static boolean keepsItems(@Nullable StructuralSchema schema) {
    return schema != null && schema.preservesUnknown() && schema.items() == null;
  }

  private void list(ArrayNode list, @Nullable StructuralSchema items, boolean kept, String path) {
    if (kept) {
      return;
    }
    int index = 0;
    for (JsonNode item : list) {
      value(item, items, path + "[" + index + "]");
      index++;
    }
  }

  private void object(
      ObjectNode object, @Nullable StructuralSchema schema, boolean hasIdentity, String path) {
    for (Iterator<Map.Entry<String, JsonNode>> members = object.properties().iterator();
        members.hasNext(); ) {
      Map.Entry<String, JsonNode> member = members.next();
      String name = member.getKey();
      if (hasIdentity && IDENTITY.contains(name)) {
        continue;
      }
      String there = path.isEmpty() ? name : path + "." + name;
      StructuralSchema inner = schema == null ? null : schema.member(name);
      if (inner != null) {
        value(member.getValue(), inner, there);
      } else if (schema == null || (!schema.preservesUnknown() && !schema.allowsOthers())) {
        members.remove();
        if (removed.size() < MOST) {
          removed.add(there);
        }
      } else if (!schema.preservesUnknown()) {
        value(member.getValue(), null, there);
      }
    }
  }
}
