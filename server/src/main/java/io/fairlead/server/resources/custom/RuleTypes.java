package io.fairlead.server.resources.custom;

import io.fairlead.server.cel.CelReservedWords;
import io.fairlead.server.cel.CelType;
import io.fairlead.server.cel.CelValues;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// How rules see a value: by its schema, with times as times, and under names that CEL can write.
final class RuleTypes {
  /// The bytes that the shortest item of a list or entry of a map takes in a request.
  private static final long SHORTEST = 2;

  private static final CelType METADATA =
      CelType.object(
          "metadata",
          Map.of("name", CelType.STRING.atMost(253), "generateName", CelType.STRING.atMost(253)));

  private RuleTypes() {}

  /// The type of a value with that schema.
  ///
  /// @param root whether it is a whole object, which has metadata
  static CelType of(StructuralSchema schema, boolean root) {
    if (schema.intOrString()) {
      return CelType.DYN;
    }
    ValueConstraints constraints = schema.constraints();
    return switch (schema.type()) {
      case "string" -> text(constraints);
      case "boolean" -> CelType.BOOL;
      case "integer" -> CelType.INT;
      case "number" -> CelType.DOUBLE;
      case "array" -> {
        CelType item = schema.items() == null ? CelType.DYN : of(schema.items(), false);
        yield CelType.list(item).atMost(orMost(constraints.maxItems(), smallest(item)));
      }
      case "object" -> object(schema, root || schema.embedded());
      default -> CelType.DYN;
    };
  }

  private static CelType text(ValueConstraints constraints) {
    return switch (constraints.format()) {
      case "date-time", "datetime", "date" -> CelType.TIMESTAMP;
      case "duration" -> CelType.DURATION;
      case "byte" -> CelType.BYTES.atMost(orMost(constraints.maxLength(), 1));
      default ->
          constraints.choices().isEmpty()
              ? CelType.STRING.atMost(
                  constraints.maxLength() == null
                      ? CelType.UNLIMITED
                      // A character takes up to four bytes.
                      : Math.min(constraints.maxLength(), CelType.UNLIMITED) * 4)
              : CelType.STRING.atMost(
                  constraints.choices().stream()
                      .mapToLong(choice -> choice.asString("").length())
                      .max()
                      .orElse(0));
    };
  }

  private static long orMost(@Nullable Long given, long smallest) {
    return given == null ? CelType.UNLIMITED / smallest : given;
  }

  private static long smallest(CelType item) {
    return switch (item.kind()) {
      case STRING, BYTES, LIST -> SHORTEST + 1;
      case MAP, OBJECT -> SHORTEST + 1;
      default -> SHORTEST;
    };
  }

  private static CelType object(StructuralSchema schema, boolean root) {
    if (schema.additional() != null) {
      CelType value = of(schema.additional(), false);
      return CelType.map(CelType.STRING, value)
          .atMost(orMost(schema.constraints().maxProperties(), 6));
    }
    if (schema.properties().isEmpty() && !root) {
      return schema.preservesUnknown() ? CelType.DYN : CelType.object("object", Map.of());
    }
    Map<String, CelType> fields = new HashMap<>();
    schema.properties().forEach((name, property) -> fields.put(escaped(name), of(property, false)));
    if (root) {
      fields.put("apiVersion", CelType.STRING.atMost(253));
      fields.put("kind", CelType.STRING.atMost(253));
      fields.put("metadata", METADATA);
    }
    return CelType.object("object", fields);
  }

  /// A name of a member as rules write it: `a-b` is `a__dash__b`.
  static String escaped(String name) {
    if (CelReservedWords.ALL.contains(name)) {
      return "__" + name + "__";
    }
    return name.replace("__", "__underscores__")
        .replace(".", "__dot__")
        .replace("-", "__dash__")
        .replace("/", "__slash__");
  }

  /// The value as rules work on it.
  static Object value(JsonNode node, @Nullable StructuralSchema schema) {
    if (schema == null || node.isNull()) {
      return CelValues.of(node);
    }
    return switch (node.getNodeType()) {
      case STRING -> textValue(node.stringValue(), schema);
      case NUMBER -> schema.type().equals("number") ? (Object) node.doubleValue() : number(node);
      case ARRAY -> {
        List<Object> items = new ArrayList<>(node.size());
        node.forEach(item -> items.add(value(item, schema.items())));
        yield items;
      }
      case OBJECT -> members(node, schema);
      default -> CelValues.of(node);
    };
  }

  private static Object number(JsonNode node) {
    return JsonValues.isWhole(node) ? (Object) node.asLong(0) : (Object) node.doubleValue();
  }

  private static Object members(JsonNode node, StructuralSchema schema) {
    Map<Object, Object> members = LinkedHashMap.newLinkedHashMap(node.size());
    boolean map = schema.additional() != null;
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      String name = map ? member.getKey() : escaped(member.getKey());
      members.put(name, value(member.getValue(), schema.member(member.getKey())));
    }
    return members;
  }

  private static Object textValue(String text, StructuralSchema schema) {
    try {
      return switch (schema.constraints().format()) {
        case "date-time", "datetime" -> OffsetDateTime.parse(text).toInstant();
        case "date" -> OffsetDateTime.parse(text + "T00:00:00Z").toInstant();
        case "duration" -> duration(text);
        default -> text;
      };
    } catch (DateTimeException e) {
      return text;
    }
  }

  private static Object duration(String text) {
    Duration parsed = CelValues.durationOrNull(text);
    return parsed == null ? text : parsed;
  }
}
