package io.fairlead.server.resources.custom;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.names.MetadataRules;
import io.fairlead.api.names.NameFormat;
import io.fairlead.api.schema.Conformer;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
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
    if (metadata == null || metadata.isNull()) {
      object.remove(METADATA);
      return List.of();
    }
    if (!(metadata instanceof ObjectNode given)) {
      throw new DecodeException(
          "json: cannot unmarshal "
              + Conformer.shown(metadata)
              + " into Go value of type v1.ObjectMeta");
    }
    String before = path.isEmpty() ? METADATA : path + "." + METADATA;
    String shown = given.toString();
    try {
      return Conformer.conform(given, Holder.META).stream()
          .map(text -> text.replaceFirst("\"", "\"" + Matcher.quoteReplacement(before + ".")))
          .toList();
    } catch (DecodeException e) {
      throw path.isEmpty()
          ? e
          : new DecodeException(before + ": Invalid value: " + shown + ": " + e.getMessage());
    }
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
        errors.add(FieldError.required(path + "." + member, ""));
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
