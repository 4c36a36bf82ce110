package io.fairlead.server.resources.custom;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.fairlead.api.json.Json;
import io.fairlead.server.cel.BoundedPattern;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes a [StructuralSchema] of an `openAPIV3Schema`. Takes any tree: what a member should not be
/// is as if it were missing, and [DefinitionValidation] has told its author.
public final class SchemaCompiler {
  private SchemaCompiler() {}

  static StructuralSchema compile(ObjectNode source) {
    JsonNode additional = source.path("additionalProperties");
    return new StructuralSchema(
        source,
        Json.textOr(source, "", "type"),
        source.path("nullable").asBoolean(false),
        source.path("x-kubernetes-preserve-unknown-fields").asBoolean(false),
        source.path("x-kubernetes-embedded-resource").asBoolean(false),
        source.path("x-kubernetes-int-or-string").asBoolean(false),
        properties(source.path("properties")),
        schema(additional),
        additional.isBoolean() && additional.booleanValue(),
        schema(source.path("items")),
        source.get("default"),
        Json.textOr(source, "", "x-kubernetes-list-type"),
        texts(source.path("x-kubernetes-list-map-keys")),
        Json.textOr(source, "", "x-kubernetes-map-type"),
        constraints(source),
        objects(source.path("x-kubernetes-validations")));
  }

  private static ValueConstraints constraints(ObjectNode source) {
    return new ValueConstraints(
        decimal(source, "maximum"),
        source.path("exclusiveMaximum").asBoolean(false),
        decimal(source, "minimum"),
        source.path("exclusiveMinimum").asBoolean(false),
        decimal(source, "multipleOf"),
        whole(source, "maxLength"),
        whole(source, "minLength"),
        pattern(Json.textOr(source, "", "pattern")),
        Json.textOr(source, "", "format"),
        whole(source, "maxItems"),
        whole(source, "minItems"),
        source.path("uniqueItems").asBoolean(false),
        whole(source, "maxProperties"),
        whole(source, "minProperties"),
        texts(source.path("required")),
        List.copyOf(source.path("enum").values()),
        schemas(source.path("allOf")),
        schemas(source.path("anyOf")),
        schemas(source.path("oneOf")),
        schema(source.path("not")));
  }

  private static Map<String, StructuralSchema> properties(JsonNode source) {
    Map<String, StructuralSchema> properties = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> property : source.properties()) {
      StructuralSchema schema = schema(property.getValue());
      if (schema != null) {
        properties.put(property.getKey(), schema);
      }
    }
    return properties;
  }

  private static @Nullable StructuralSchema schema(JsonNode source) {
    return source instanceof ObjectNode object ? compile(object) : null;
  }

  private static List<StructuralSchema> schemas(JsonNode source) {
    List<StructuralSchema> schemas = new ArrayList<>();
    for (JsonNode each : source) {
      StructuralSchema schema = schema(each);
      if (schema != null) {
        schemas.add(schema);
      }
    }
    return schemas;
  }

  private static List<ObjectNode> objects(JsonNode source) {
    List<ObjectNode> objects = new ArrayList<>();
    for (JsonNode each : source) {
      if (each instanceof ObjectNode object) {
        objects.add(object);
      }
    }
    return objects;
  }

  /// The items of a list of texts.
  public static List<String> texts(JsonNode source) {
    List<String> texts = new ArrayList<>();
    source.forEach(each -> texts.add(each.asString("")));
    return texts;
  }

  private static @Nullable Long whole(ObjectNode source, String name) {
    JsonNode value = source.path(name);
    return value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : null;
  }

  private static @Nullable BigDecimal decimal(ObjectNode source, String name) {
    JsonNode value = source.path(name);
    return value.isNumber() ? value.decimalValue() : null;
  }

  private static @Nullable Pattern pattern(String text) {
    if (text.isEmpty()) {
      return null;
    }
    try {
      return BoundedPattern.compile(text);
    } catch (PatternSyntaxException e) {
      return null;
    }
  }
}
