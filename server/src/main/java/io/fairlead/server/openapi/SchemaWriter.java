package io.fairlead.server.openapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.MergeStrategy;
import io.fairlead.api.schema.MergeStrategy.ApplyAs;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import io.fairlead.api.schema.Type.ListOf;
import io.fairlead.api.schema.Type.MapOf;
import io.fairlead.api.schema.Type.Scalar;
import io.fairlead.server.openapi.Operation.GroupVersionKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes structs as JSON schemas, in the dialect of OpenAPI 2 or 3, with everything they refer to.
final class SchemaWriter {
  private final Schemas schemas;
  private final CustomSchemas custom;
  private final GroupVersionKindIndex kinds;
  private final boolean version3;
  private final Map<String, ObjectNode> written = new TreeMap<>();
  private final Set<String> seen = new HashSet<>();
  private final Deque<String> pending = new ArrayDeque<>();

  SchemaWriter(
      Schemas schemas, CustomSchemas custom, GroupVersionKindIndex kinds, boolean version3) {
    this.schemas = schemas;
    this.custom = custom;
    this.kinds = kinds;
    this.version3 = version3;
  }

  /// Asks for a schema and returns a reference to it.
  ObjectNode reference(String name) {
    if (seen.add(name)) {
      pending.add(name);
    }
    String prefix = version3 ? "#/components/schemas/" : "#/definitions/";
    return Json.object().put("$ref", prefix + name);
  }

  /// All schemas asked for and all they reach, sorted by name.
  ObjectNode all() {
    while (!pending.isEmpty()) {
      String name = pending.remove();
      StructType struct = schemas.find(name);
      if (struct != null) {
        written.put(name, struct(struct));
      } else if (custom.has(name)) {
        ObjectNode schema = custom.schema(name, version3, this::reference);
        addKinds(schema, name);
        written.put(name, schema);
      } else {
        written.put(name, ScalarSchemas.definition(name, version3));
      }
    }
    ObjectNode out = Json.object();
    written.forEach(out::set);
    return out;
  }

  private ObjectNode struct(StructType struct) {
    ObjectNode out = Json.object();
    describe(out, struct.description());
    out.put("type", "object");
    ObjectNode properties = out.putObject("properties");
    List<String> required = new ArrayList<>();
    for (Field field : struct.fields()) {
      properties.set(field.name(), property(field));
      if (field.required()) {
        required.add(field.name());
      }
    }
    if (!required.isEmpty()) {
      ArrayNode names = out.putArray("required");
      required.forEach(names::add);
    }
    addKinds(out, struct.name());
    if (struct.atomic()) {
      out.put("x-kubernetes-map-type", "atomic");
    }
    return out;
  }

  private void addKinds(ObjectNode schema, String name) {
    Set<GroupVersionKind> described = kinds.of(name);
    if (!described.isEmpty()) {
      ArrayNode list = schema.putArray("x-kubernetes-group-version-kind");
      described.forEach(kind -> list.add(kind(kind)));
    }
  }

  private ObjectNode property(Field field) {
    ObjectNode out = value(field.type(), field.name(), text(field));
    MergeStrategy merge = field.merge();
    String strategy =
        (merge.patchMerge() ? "merge" : "")
            + (merge.patchMerge() && merge.patchRetainKeys() ? "," : "")
            + (merge.patchRetainKeys() ? "retainKeys" : "");
    if (field.type() instanceof ListOf) {
      out.put("x-kubernetes-list-type", listType(merge.applyAs()));
      if (!merge.applyKeys().isEmpty()) {
        ArrayNode keys = out.putArray("x-kubernetes-list-map-keys");
        merge.applyKeys().forEach(keys::add);
      }
    } else if (field.type() instanceof MapOf && merge.applyAs() == ApplyAs.ATOMIC) {
      out.put("x-kubernetes-map-type", "atomic");
    }
    if (!merge.patchMergeKey().isEmpty()) {
      out.put("x-kubernetes-patch-merge-key", merge.patchMergeKey());
    }
    if (!strategy.isEmpty()) {
      out.put("x-kubernetes-patch-strategy", strategy);
    }
    return out;
  }

  private static String listType(ApplyAs as) {
    return switch (as) {
      case MAP -> "map";
      case SET -> "set";
      case ATOMIC, DEFAULT -> "atomic";
    };
  }

  private ObjectNode value(Type type, String fieldName, String description) {
    ObjectNode out =
        switch (type) {
          case StructType struct -> described(reference(struct.name()), description);
          case Scalar scalar -> {
            @Nullable String name = ScalarSchemas.reference(scalar.kind(), fieldName);
            yield name == null
                ? ScalarSchemas.inPlace(scalar.kind())
                : described(reference(name), description);
          }
          case ListOf list -> {
            ObjectNode array = Json.object().put("type", "array");
            array.set("items", value(list.element(), fieldName, ""));
            yield array;
          }
          case MapOf map -> {
            ObjectNode object = Json.object().put("type", "object");
            object.set("additionalProperties", value(map.value(), fieldName, ""));
            yield object;
          }
        };
    describe(out, description);
    return out;
  }

  /// In version 3 nothing may stand beside `$ref`, so a text needs `allOf` around it.
  private ObjectNode described(ObjectNode reference, String description) {
    if (!version3 || description.isEmpty()) {
      return reference;
    }
    ObjectNode out = Json.object();
    out.putArray("allOf").add(reference);
    return out;
  }

  /// The text of a field. The source has none for fields that are references; there the field says
  /// what it is for, or the text of its type serves.
  private static String text(Field field) {
    if (!field.description().isEmpty() || !(field.type() instanceof StructType struct)) {
      return field.description();
    }
    return switch (field.name()) {
      case "metadata" ->
          "Standard object's metadata: name, namespace, labels, annotations, versions.";
      case "spec" -> "What is wanted of this object.";
      case "status" -> "What was last observed of this object; written by the system.";
      default -> struct.description();
    };
  }

  private static void describe(ObjectNode out, String description) {
    if (!description.isEmpty()) {
      out.put("description", description);
    }
  }

  static ObjectNode kind(GroupVersionKind kind) {
    return Json.object()
        .put("group", kind.group())
        .put("version", kind.version())
        .put("kind", kind.kind());
  }
}
