package io.fairlead.api.protobuf;

import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.StructType;
import org.jspecify.annotations.Nullable;

/// The fields of a JSON schema that hold a schema or something else instead. In JSON that is seen
/// from the value; protobuf has a message with a field for each.
enum SchemaUnion {
  /// `JSONSchemaPropsOrArray`: or several schemas.
  OR_SCHEMAS(1, 2),
  /// `JSONSchemaPropsOrBool`: or whether anything is allowed, which is also said beside a schema.
  OR_BOOLEAN(2, 1),
  /// `JSONSchemaPropsOrStringArray`: or names of properties.
  OR_NAMES(1, 2);

  private static final String STRUCT =
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

  /// The number of the schema.
  final int schema;

  /// The number of what may stand instead.
  final int other;

  SchemaUnion(int schema, int other) {
    this.schema = schema;
    this.other = other;
  }

  /// What a field holds, or each value of it when it is a map; null for all fields of other structs
  /// and most of this one.
  static @Nullable SchemaUnion of(StructType type, Field field) {
    if (!type.name().equals(STRUCT)) {
      return null;
    }
    return switch (field.name()) {
      case "items" -> OR_SCHEMAS;
      case "additionalItems", "additionalProperties" -> OR_BOOLEAN;
      case "dependencies" -> OR_NAMES;
      default -> null;
    };
  }
}
