package io.fairlead.server.resources.custom;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A schema as a definition gives it, compiled: what a value may be, what becomes of fields it does
/// not name, what is filled in. Immutable; the trees in it must not be changed.
///
/// @param source what it was compiled from
/// @param type `object`, `array`, `string`…; empty when it names none
/// @param preservesUnknown fields without a schema are kept
/// @param embedded the value is an object of some kind, with metadata
/// @param intOrString the value is a number or a text, whatever the type says
/// @param properties the members with a schema of their own
/// @param additional the schema of all other members, or null
/// @param allowsOthers other members are kept although they have no schema (`additionalProperties:
///   true`)
/// @param items the schema of the items of a list, or null
/// @param defaultValue what a missing value becomes, or null
/// @param listType `map`, `set`, `atomic` or empty
/// @param listKeys the keys of a list that is a map
/// @param mapType `atomic`, `granular` or empty
/// @param constraints what a value must keep to
/// @param rules the rules in CEL
record StructuralSchema(
    ObjectNode source,
    String type,
    boolean nullable,
    boolean preservesUnknown,
    boolean embedded,
    boolean intOrString,
    Map<String, StructuralSchema> properties,
    @Nullable StructuralSchema additional,
    boolean allowsOthers,
    @Nullable StructuralSchema items,
    @Nullable JsonNode defaultValue,
    String listType,
    List<String> listKeys,
    String mapType,
    ValueConstraints constraints,
    List<ObjectNode> rules) {

  /// The schema of a member, or null.
  @Nullable StructuralSchema member(String name) {
    StructuralSchema property = properties.get(name);
    return property == null ? additional : property;
  }

  /// Whether it or one below gives a default.
  boolean hasDefaults() {
    return defaultValue != null
        || properties.values().stream().anyMatch(StructuralSchema::hasDefaults)
        || (additional != null && additional.hasDefaults())
        || (items != null && items.hasDefaults());
  }

  /// Whether it or one below has rules in CEL.
  boolean hasRules() {
    return !rules.isEmpty()
        || properties.values().stream().anyMatch(StructuralSchema::hasRules)
        || (additional != null && additional.hasRules())
        || (items != null && items.hasRules());
  }
}
