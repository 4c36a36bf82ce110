package io.fairlead.server.resources.custom;

import com.google.re2j.PatternSyntaxException;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.cel.BoundedPattern;
import io.fairlead.server.resources.kind.Problems;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What is wrong with the schema of a definition. A schema must be *structural*: it says of every
/// field what it is, outside of all alternatives, so that unknown fields can be told from known
/// ones.
final class SchemaRules {
  private static final List<String> TYPES =
      List.of("array", "boolean", "integer", "number", "object", "string");
  private static final List<String> UNSUPPORTED =
      List.of("$ref", "additionalItems", "definitions", "dependencies", "id", "patternProperties");

  /// What may stand only where the structure is, not in alternatives.
  private static final List<String> STRUCTURE =
      List.of(
          "default",
          "nullable",
          "additionalProperties",
          "description",
          "title",
          "x-kubernetes-preserve-unknown-fields",
          "x-kubernetes-embedded-resource",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type");

  private static final Set<String> METADATA = Set.of("name", "generateName");

  /// What the expressions of a schema may amount to: some 25 MB for as long as it is served.
  private static final long MOST_PATTERN_PARTS = 500_000;

  private final Problems problems = new Problems();
  private long patternParts;

  private SchemaRules() {}

  static List<FieldError> check(ObjectNode root, String path) {
    SchemaRules rules = new SchemaRules();
    rules.root(root, path);
    return rules.problems.list();
  }

  private void root(ObjectNode root, String path) {
    String type = Json.textOr(root, "", "type");
    if (type.isEmpty()) {
      problems.required(path + ".type", "must not be empty at the root");
    } else if (!type.equals("object")) {
      problems.invalid(path + ".type", type, "must be object at the root");
    }
    if (root.path("nullable").asBoolean(false)) {
      problems.forbidden(path + ".nullable", "nullable cannot be true at the root");
    }
    structure(root, path, true);
    if (patternParts > MOST_PATTERN_PARTS) {
      problems.forbidden(path, "the regular expressions of the schema are too large together");
      return; // what follows would compile them
    }
    for (FieldError error : RuleChecks.check(root, path)) {
      problems.add(error);
    }
  }

  private void structure(JsonNode schema, String path, boolean root) {
    if (!(schema instanceof ObjectNode object)) {
      return;
    }
    values(object, path);
    type(object, path);
    containers(object, path);
    extensions(object, path);
    if (object.has("default")) {
      defaultValue(object, path);
    }
    for (Map.Entry<String, JsonNode> property : object.path("properties").properties()) {
      String there = path + ".properties[" + property.getKey() + "]";
      if (root && property.getKey().equals("metadata")) {
        metadata(property.getValue(), there);
      } else {
        typed(property.getValue(), there, "must not be empty for specified object fields");
      }
      structure(property.getValue(), there, false);
    }
    JsonNode items = object.path("items");
    if (items.isObject()) {
      typed(items, path + ".items", "must not be empty for specified array items");
      structure(items, path + ".items", false);
    } else if (Json.textOr(object, "", "type").equals("array")) {
      problems.required(path + ".items", "must be specified");
    }
    JsonNode additional = object.path("additionalProperties");
    if (additional.isObject()) {
      typed(
          additional,
          path + ".additionalProperties",
          "must not be empty for specified object fields");
      structure(additional, path + ".additionalProperties", false);
    }
    alternatives(object, path);
  }

  private void typed(JsonNode schema, String path, String why) {
    boolean free =
        schema.path("x-kubernetes-int-or-string").asBoolean(false)
            || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean(false);
    if (Json.textOr(schema, "", "type").isEmpty() && !free) {
      problems.required(path + ".type", why);
    }
  }

  private void type(ObjectNode schema, String path) {
    String type = Json.textOr(schema, "", "type");
    if (schema.path("x-kubernetes-int-or-string").asBoolean(false)) {
      return;
    }
    if (!type.isEmpty() && !TYPES.contains(type)) {
      problems.add(FieldError.notSupported(path + ".type", schema.path("type"), TYPES));
    }
    if (schema.path("x-kubernetes-embedded-resource").asBoolean(false) && !type.equals("object")) {
      problems.invalid(
          path + ".type", type, "must be object if x-kubernetes-embedded-resource is true");
    }
  }

  private void values(ObjectNode schema, String path) {
    for (String member : UNSUPPORTED) {
      if (schema.has(member) && !schema.path(member).isNull()) {
        problems.forbidden(path + "." + member, member + " is not supported");
      }
    }
    if (schema.path("uniqueItems").asBoolean(false)) {
      problems.forbidden(
          path + ".uniqueItems",
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    String pattern = Json.textOr(schema, "", "pattern");
    if (!pattern.isEmpty()) {
      try {
        patternParts += BoundedPattern.parts(pattern);
        if (patternParts <= MOST_PATTERN_PARTS) {
          var _ = BoundedPattern.compile(pattern);
        }
      } catch (PatternSyntaxException e) {
        problems.invalid(
            path + ".pattern",
            pattern,
            "must be a valid regular expression, but isn't: " + e.getMessage());
      }
    }
  }

  private void containers(ObjectNode schema, String path) {
    JsonNode additional = schema.path("additionalProperties");
    if (!additional.isMissingNode() && !schema.path("properties").isEmpty()) {
      problems.forbidden(
          path + ".additionalProperties",
          "additionalProperties and properties are mutual exclusive");
    }
    if (schema.path("items").isArray()) {
      problems.forbidden(path + ".items", "items must be a schema object and not an array");
    }
  }

  private void extensions(ObjectNode schema, String path) {
    JsonNode preserve = schema.path("x-kubernetes-preserve-unknown-fields");
    if (preserve.isBoolean() && !preserve.booleanValue()) {
      problems.invalid(
          path + ".x-kubernetes-preserve-unknown-fields", preserve, "must be true or undefined");
    }
    String mapType = Json.textOr(schema, "", "x-kubernetes-map-type");
    if (!mapType.isEmpty()) {
      problems.oneOf(
          path + ".x-kubernetes-map-type",
          schema.path("x-kubernetes-map-type"),
          List.of("atomic", "granular"));
    }
    String listType = Json.textOr(schema, "", "x-kubernetes-list-type");
    if (listType.isEmpty()) {
      return;
    }
    if (!Json.textOr(schema, "", "type").equals("array")) {
      String type = Json.textOr(schema, "", "type");
      if (type.isEmpty()) {
        problems.required(path + ".type", "must be array if x-kubernetes-list-type is specified");
      } else {
        problems.invalid(
            path + ".type", type, "must be array if x-kubernetes-list-type is specified");
      }
    }
    problems.oneOf(
        path + ".x-kubernetes-list-type",
        schema.path("x-kubernetes-list-type"),
        List.of("atomic", "map", "set"));
    if (listType.equals("map")) {
      keys(schema, path);
    }
  }

  private void keys(ObjectNode schema, String path) {
    List<String> keys = SchemaCompiler.texts(schema.path("x-kubernetes-list-map-keys"));
    if (keys.isEmpty()) {
      problems.required(
          path + ".x-kubernetes-list-map-keys",
          "must not be empty if x-kubernetes-list-type is map");
      return;
    }
    JsonNode items = schema.path("items");
    List<String> required = SchemaCompiler.texts(items.path("required"));
    for (String key : keys) {
      JsonNode property = items.path("properties").path(key);
      if (!property.isObject()) {
        problems.invalid(
            path + ".x-kubernetes-list-map-keys",
            schema.path("x-kubernetes-list-map-keys"),
            "entries must all be names of item properties");
        return;
      } else if (!required.contains(key) && !property.has("default")) {
        problems.required(
            path + ".items.properties[" + key + "].default",
            "this property is in x-kubernetes-list-map-keys, so it must have a default or be a"
                + " required property");
      }
    }
  }

  /// Of the metadata a definition may only restrict the names.
  private void metadata(JsonNode schema, String path) {
    if (schema.has("type") && !Json.textOr(schema, "", "type").equals("object")) {
      problems.invalid(path + ".type", Json.textOr(schema, "", "type"), "must be object");
    }
    for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
      if (!METADATA.contains(property.getKey())) {
        problems.forbidden(
            path,
            "must not specify anything other than name and generateName, but metadata is"
                + " implicitly specified");
        return;
      }
    }
  }

  private void defaultValue(ObjectNode source, String path) {
    JsonNode value = source.path("default").deepCopy();
    StructuralSchema schema = SchemaCompiler.compile(source);
    JsonNode pruned = value.deepCopy();
    if (!UnknownFieldPruner.pruneValue(pruned, schema).isEmpty()) {
      problems.invalid(path + ".default", value, "must not have unknown fields");
      return;
    }
    SchemaDefaulter.apply(value, schema);
    for (FieldError error : SchemaValidator.validate(value, null, schema, "")) {
      boolean whole = error.field().equals(SchemaFindings.NOWHERE);
      problems.add(
          new FieldError(
              error.kind(),
              path + ".default" + (whole ? "" : "." + error.field()),
              error.value(),
              error.detail()));
    }
  }

  /// In alternatives stands what restricts values, never what makes up the structure.
  private void alternatives(ObjectNode schema, String path) {
    for (String list : List.of("allOf", "anyOf", "oneOf")) {
      int index = 0;
      for (JsonNode each : schema.path(list)) {
        restriction(each, path + "." + list + "[" + index + "]", schema);
        index++;
      }
    }
    if (schema.has("not")) {
      restriction(schema.path("not"), path + ".not", schema);
    }
  }

  private void restriction(JsonNode schema, String path, JsonNode structure) {
    if (!(schema instanceof ObjectNode object)) {
      return;
    }
    values(object, path);
    boolean mayHaveType = structure.path("x-kubernetes-int-or-string").asBoolean(false);
    if (object.has("type") && !mayHaveType) {
      problems.forbidden(path + ".type", "must be empty to be structural");
    }
    for (String member : STRUCTURE) {
      if (object.has(member)) {
        problems.forbidden(path + "." + member, "must be undefined to be structural");
      }
    }
    for (Map.Entry<String, JsonNode> property : object.path("properties").properties()) {
      JsonNode known = structure.path("properties").path(property.getKey());
      restriction(property.getValue(), path + ".properties[" + property.getKey() + "]", known);
    }
    if (object.path("items").isObject()) {
      restriction(object.path("items"), path + ".items", structure.path("items"));
    }
    for (String list : List.of("allOf", "anyOf", "oneOf")) {
      int index = 0;
      for (JsonNode each : object.path(list)) {
        restriction(each, path + "." + list + "[" + index + "]", structure);
        index++;
      }
    }
    if (object.has("not")) {
      restriction(object.path("not"), path + ".not", structure);
    }
  }
}
