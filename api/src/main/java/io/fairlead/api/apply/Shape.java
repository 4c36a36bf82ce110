package io.fairlead.api.apply;

import io.fairlead.api.schema.Field;
import io.fairlead.api.schema.MergeStrategy;
import io.fairlead.api.schema.MergeStrategy.ApplyAs;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// How ownership looks at a value: as one leaf, or as something with owned parts.
///
/// @param keys the sorted names that tell the items of a list apart; only for [Kind#KEYED]
record Shape(Kind kind, Type type, List<String> keys) {
  private static final JsonNode TCP = JsonNodeFactory.instance.stringNode("TCP");

  /// What a value is made of.
  enum Kind {
    /// Owned whole: scalars, atomic lists and objects, free JSON.
    LEAF,
    /// Known fields.
    STRUCT,
    /// Any keys.
    MAP,
    /// A list whose items have keys.
    KEYED,
    /// A list of scalars without duplicates.
    SET
  }

  /// The value of a field.
  static Shape of(Field field) {
    return of(field.type(), field.merge(), field.merge().applyAs() == ApplyAs.ATOMIC);
  }

  /// A whole object, an item of a list or a value of a map.
  static Shape of(Type type) {
    return of(type, MergeStrategy.DEFAULT, type instanceof StructType struct && struct.atomic());
  }

  private static Shape of(Type type, MergeStrategy merge, boolean atomic) {
    if (atomic) {
      return new Shape(Kind.LEAF, type, List.of());
    }
    return switch (type) {
      case Type.Scalar _ -> new Shape(Kind.LEAF, type, List.of());
      case Type.MapOf _ -> new Shape(Kind.MAP, type, List.of());
      case StructType struct ->
          new Shape(struct.isFree() ? Kind.MAP : Kind.STRUCT, type, List.of());
      case Type.ListOf _ ->
          switch (merge.applyAs()) {
            case SET -> new Shape(Kind.SET, type, List.of());
            case MAP -> new Shape(Kind.KEYED, type, merge.applyKeys().stream().sorted().toList());
            case DEFAULT, ATOMIC -> new Shape(Kind.LEAF, type, List.of());
          };
    };
  }

  /// Whether the value has the form this shape expects; a leaf may be anything.
  boolean fits(@Nullable JsonNode value) {
    return switch (kind) {
      case LEAF -> true;
      case STRUCT, MAP -> value == null || value instanceof ObjectNode;
      case KEYED, SET -> value == null || value instanceof ArrayNode;
    };
  }

  /// Whether nothing is known of the value: an object has owned members, all else is one leaf.
  boolean isFree() {
    return type instanceof StructType struct && struct.isFree();
  }

  /// The shape of a member; null when a struct has no such field.
  @Nullable Shape member(String name) {
    if (type instanceof StructType struct) {
      StructMembers.Member member = StructMembers.of(struct).get(name);
      if (member != null) {
        return member.shape();
      }
      Type others = struct.others();
      return others == null ? null : of(others);
    }
    return type instanceof Type.MapOf map ? of(map.value()) : null;
  }

  /// The shape of the items of a list.
  Shape item() {
    return of(((Type.ListOf) type).element());
  }

  /// The step to an item of a list; null when the item lacks a key.
  @Nullable PathElement element(JsonNode item) {
    if (kind == Kind.SET) {
      return PathElement.value(item);
    }
    List<JsonNode> values = new ArrayList<>(keys.size());
    for (String key : keys) {
      JsonNode value = item.get(key);
      if (value == null || value.isNull()) {
        value = keyDefault(key);
      }
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return PathElement.key(keys, values);
  }

  /// Whether an item has none of the keys, and none of them may be left out.
  boolean lacksAllKeys(JsonNode item) {
    return !keys.isEmpty()
        && keys.stream().allMatch(key -> !item.has(key) && keyDefault(key) == null);
  }

  /// The first key that an item neither has nor may leave out.
  String missingKey(JsonNode item) {
    for (String key : keys) {
      if (!item.has(key) && keyDefault(key) == null) {
        return key;
      }
    }
    return "";
  }

  /// What a key is where an item does not have it: every key that must be there counts as empty or
  /// zero.
  private @Nullable JsonNode keyDefault(String key) {
    if (key.equals("protocol")) {
      return TCP;
    }
    Field field =
        ((Type.ListOf) type).element() instanceof StructType item ? item.field(key) : null;
    if (field == null || !field.required() || !(field.type() instanceof Type.Scalar scalar)) {
      return null;
    }
    return switch (scalar.kind()) {
      case STRING -> JsonNodeFactory.instance.stringNode("");
      case INT32, INT64 -> JsonNodeFactory.instance.numberNode(0);
      default -> null;
    };
  }
}
