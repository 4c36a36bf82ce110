package io.fairlead.server.resources.custom;

import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.MergeStrategy;
import io.fairlead.api.schema.MergeStrategy.ApplyAs;
import io.fairlead.api.schema.ScalarKind;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Says of a custom resource what `managedFields` and server-side apply need to know: which values
/// are owned whole and which by their parts, and how the items of lists are told apart.
final class FieldTypes {
  private static final Type ANYTHING = new Type.Scalar(ScalarKind.ANY);
  private static final Type TEXT = new Type.Scalar(ScalarKind.STRING);

  private FieldTypes() {}

  /// The type of whole objects.
  static StructType of(StructuralSchema schema, String name) {
    List<Field> fields = new ArrayList<>();
    fields.add(field("apiVersion", TEXT, MergeStrategy.DEFAULT, true));
    fields.add(field("kind", TEXT, MergeStrategy.DEFAULT, true));
    fields.add(field("metadata", ObjectMetaCoercion.objectMeta(), MergeStrategy.DEFAULT, false));
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      if (!UnknownFieldPruner.IDENTITY.contains(property.getKey())) {
        fields.add(field(property.getKey(), property.getValue()));
      }
    }
    return new StructType(name, "", false, others(schema)).link(fields);
  }

  private static Field field(String name, StructuralSchema schema) {
    Type type = type(schema);
    boolean list = type instanceof Type.ListOf;
    String strategy = list ? schema.listType() : schema.mapType();
    ApplyAs as =
        switch (strategy) {
          case "map" -> list ? ApplyAs.MAP : ApplyAs.DEFAULT;
          case "set" -> list ? ApplyAs.SET : ApplyAs.DEFAULT;
          case "atomic" -> ApplyAs.ATOMIC;
          default -> ApplyAs.DEFAULT;
        };
    return field(name, type, new MergeStrategy(false, "", false, as, schema.listKeys()), true);
  }

  private static Field field(String name, Type type, MergeStrategy merge, boolean pointer) {
    return new Field(name, type, "", false, 0, pointer, false, merge, false, "");
  }

  private static Type type(@Nullable StructuralSchema schema) {
    if (schema == null) {
      return ANYTHING;
    }
    if (schema.intOrString()) {
      return new Type.Scalar(ScalarKind.INT_OR_STRING);
    }
    return switch (schema.type()) {
      case "string" -> TEXT;
      case "boolean" -> new Type.Scalar(ScalarKind.BOOLEAN);
      case "integer" -> new Type.Scalar(ScalarKind.INT64);
      case "number" -> new Type.Scalar(ScalarKind.DOUBLE);
      case "array" -> new Type.ListOf(type(schema.items()));
      case "object" -> object(schema);
      default -> schema.preservesUnknown() ? StructType.FREE : ANYTHING;
    };
  }

  private static Type object(StructuralSchema schema) {
    boolean atomic = schema.mapType().equals("atomic");
    Type others = others(schema);
    if (schema.properties().isEmpty() && !schema.embedded() && others != null) {
      if (others == StructType.FREE && !atomic) {
        return StructType.FREE;
      }
      return new Type.MapOf(others);
    }
    List<Field> fields = new ArrayList<>();
    if (schema.embedded()) {
      fields.add(field("apiVersion", TEXT, MergeStrategy.DEFAULT, true));
      fields.add(field("kind", TEXT, MergeStrategy.DEFAULT, true));
      fields.add(field("metadata", StructType.FREE, MergeStrategy.DEFAULT, true));
    }
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      if (!schema.embedded() || !UnknownFieldPruner.IDENTITY.contains(property.getKey())) {
        fields.add(field(property.getKey(), property.getValue()));
      }
    }
    return new StructType("", "", atomic, others).link(fields);
  }

  /// The type of members without a schema of their own; null when there are none.
  private static @Nullable Type others(StructuralSchema schema) {
    if (schema.additional() != null) {
      return type(schema.additional());
    }
    return schema.preservesUnknown() || schema.allowsOthers() ? StructType.FREE : null;
  }
}
