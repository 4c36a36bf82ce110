package io.fairlead.server.crd;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameFormat;
import io.fairlead.api.schema.Conformer;
import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.MergeStrategy;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes the metadata of custom resources what metadata is everywhere, also that of objects that
/// are embedded in them. The schema of a definition has no say in it.
final class ObjectMetaCoercion {
  private static final String METADATA = "metadata";

  private ObjectMetaCoercion() {}

  /// Loaded on first use.
  private static final class Holder {
    static final StructType META =
        Schemas.kubernetes().struct("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");
    static final StructType OBJECT =
        new StructType("meta.v1.ObjectMeta", "")
            .link(
                List.of(
                    new Field(
                        METADATA,
                        META,
                        "",
                        false,
                        1,
                        false,
                        false,
                        MergeStrategy.DEFAULT,
                        false,
                        "")));
  }

  static StructType objectMeta() {
    return Holder.META;
  }

  /// Makes the metadata fit. Changes the object; returns the fields that metadata does not have.
  ///
  /// @throws DecodeException when a value has the wrong type
  static List<String> apply(ObjectNode object, StructuralSchema schema) {
    List<String> unknown = new ArrayList<>(conform(object, ""));
    embedded(object, schema, "", unknown);
    return unknown;
  }

  private static List<String> conform(ObjectNode object, String path) {
    JsonNode metadata = object.get(METADATA);
    if (metadata == null) {
      return List.of();
    }
    ObjectNode holder = Json.object();
    holder.set(METADATA, metadata);
    List<String> unknown = Conformer.conform(holder, Holder.OBJECT);
    object.set(METADATA, Json.child(holder, METADATA));
    return path.isEmpty()
        ? unknown
        : unknown.stream()
            .map(text -> text.replace("\"metadata", "\"" + path + ".metadata"))
            .toList();
  }

  private static void embedded(
      JsonNode value, @Nullable StructuralSchema schema, String path, List<String> unknown) {
    if (schema == null) {
      return;
    }
    if (value instanceof ObjectNode object) {
      if (schema.embedded() && !path.isEmpty()) {
        unknown.addAll(conform(object, path));
      }
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        if (!path.isEmpty() || !UnknownFieldPruner.IDENTITY.contains(member.getKey())) {
          embedded(
              member.getValue(),
              schema.member(member.getKey()),
              SchemaValidator.child(path, member.getKey()),
              unknown);
        }
      }
    } else if (value instanceof ArrayNode list) {
      int index = 0;
      for (JsonNode item : list) {
        embedded(item, schema.items(), path + "[" + index + "]", unknown);
        index++;
      }
    }
  }

  /// What is wrong with embedded objects: each says what it is, and has metadata by the rules.
  static List<FieldError> validate(JsonNode value, @Nullable StructuralSchema schema, String path) {
    List<FieldError> errors = new ArrayList<>();
    check(value, schema, path, errors);
    return errors;
  }

  private static void check(
      JsonNode value, @Nullable StructuralSchema schema, String path, List<FieldError> errors) {
    if (schema == null) {
      return;
    }
    if (value instanceof ObjectNode object) {
      if (schema.embedded() && !path.isEmpty()) {
        checkEmbedded(object, path, errors);
      }
      for (Map.Entry<String, JsonNode> member : object.properties()) {
        check(
            member.getValue(),
            schema.member(member.getKey()),
            SchemaValidator.child(path, member.getKey()),
            errors);
      }
    } else if (value instanceof ArrayNode list) {
      int index = 0;
      for (JsonNode item : list) {
        check(item, schema.items(), path + "[" + index + "]", errors);
        index++;
      }
    }
  }

  private static void checkEmbedded(ObjectNode object, String path, List<FieldError> errors) {
    for (String member : List.of("apiVersion", "kind")) {
      if (Json.textOr(object, "", member).isEmpty()) {
        errors.add(FieldError.required(path + "." + member, "must not be empty"));
      }
    }
    if (object.has(METADATA)) {
      MetadataRules.validateCommon(object, true, NameFormat.PATH_SEGMENT).stream()
          .filter(error -> error.kind() != FieldError.Kind.REQUIRED)
          .map(
              error ->
                  new FieldError(
                      error.kind(), path + "." + error.field(), error.value(), error.detail()))
          .forEach(errors::add);
    }
  }
}
