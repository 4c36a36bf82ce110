package io.fairlead.server.resources.custom;

import io.fairlead.api.json.Json;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The schema of a custom resource as OpenAPI publishes it. Version 3 says all of it. Clients of
/// version 2 know neither null nor alternatives, so what they could misread is left out there; of
/// an object that may have any member they are told nothing.
final class PublishedSchema {
  private static final List<String> NOT_IN_2 =
      List.of("nullable", "anyOf", "allOf", "oneOf", "not", "default", "x-kubernetes-validations");
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String API_VERSION =
      "APIVersion defines the group and version of this object's schema, such as apps/v1.";
  private static final String KIND = "Kind is what the object is, such as Service.";

  private PublishedSchema() {}

  /// A tree of the caller's own, without `metadata`, which is the same everywhere.
  static ObjectNode of(CustomResource resource, boolean version3) {
    ObjectNode schema = resource.structure().source().deepCopy();
    if (!version3) {
      if (schema.path(PRESERVE).asBoolean(false)) {
        return Json.object().put("type", "object");
      }
      simplify(schema);
    }
    schema.put("type", "object");
    identify(schema);
    embedded(schema, true);
    return schema;
  }

  /// Adds the members that every object has.
  private static void identify(ObjectNode schema) {
    ObjectNode properties = Json.object();
    properties.putObject("apiVersion").put("type", "string").put("description", API_VERSION);
    properties.putObject("kind").put("type", "string").put("description", KIND);
    properties.putObject("metadata").put("type", "object");
    for (Map.Entry<String, JsonNode> given : schema.path("properties").properties()) {
      if (!UnknownFieldPruner.IDENTITY.contains(given.getKey())) {
        properties.set(given.getKey(), given.getValue());
      }
    }
    schema.set("properties", properties);
  }

  private static void embedded(JsonNode schema, boolean root) {
    if (schema instanceof ObjectNode object) {
      if (!root && object.path("x-kubernetes-embedded-resource").asBoolean(false)) {
        identify(object);
      }
      object.path("properties").forEach(each -> embedded(each, false));
      embedded(object.path("items"), false);
      embedded(object.path("additionalProperties"), false);
    }
  }

  private static void simplify(JsonNode schema) {
    if (!(schema instanceof ObjectNode object)) {
      return;
    }
    if (object.path("nullable").asBoolean(false)) {
      object.remove(List.of("type", "items", "properties", "additionalProperties"));
    }
    if (object.path("x-kubernetes-int-or-string").asBoolean(false)) {
      object.remove("type");
    }
    if (object.path(PRESERVE).asBoolean(false)) {
      object.remove(List.of("items", "properties", "additionalProperties"));
      if (!object.path("type").asString("").equals("object")) {
        object.remove("type");
      }
    }
    object.remove(NOT_IN_2);
    object.path("properties").forEach(PublishedSchema::simplify);
    simplify(object.path("items"));
    simplify(object.path("additionalProperties"));
    dropUnknownRequired(object);
  }

  private static void dropUnknownRequired(ObjectNode schema) {
    if (schema.has("properties") || !(schema.path("required") instanceof ArrayNode)) {
      return;
    }
    schema.remove("required");
  }
}
