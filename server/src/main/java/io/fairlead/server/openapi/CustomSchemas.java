package io.fairlead.server.openapi;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Resource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The schemas of custom resources and of lists of them, by the names under which they are
/// published.
final class CustomSchemas {
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final String LIST = "List";

  private final Map<String, Resource> resources = new HashMap<>();

  private CustomSchemas() {}

  static CustomSchemas of(List<Resource> served) {
    CustomSchemas schemas = new CustomSchemas();
    for (Resource resource : served) {
      if (resource.isCustom()) {
        schemas.resources.put(resource.descriptor().schemaName(), resource);
        schemas.resources.put(resource.descriptor().schemaName() + LIST, resource);
      }
    }
    return schemas;
  }

  boolean has(String name) {
    return resources.containsKey(name);
  }

  /// The schema of that name.
  ///
  /// @param reference asks for another schema and refers to it
  ObjectNode schema(String name, boolean version3, Function<String, ObjectNode> reference) {
    Resource resource = resources.get(name);
    @Nullable ObjectNode schema = resource == null ? null : resource.openApi(version3);
    if (resource == null || schema == null) {
      throw new IllegalArgumentException("no custom resource has the schema " + name);
    }
    UnaryOperator<ObjectNode> described =
        target -> {
          if (!version3) {
            return target;
          }
          ObjectNode holder = Json.object();
          holder.putArray("allOf").add(target);
          return holder;
        };
    if (name.equals(resource.descriptor().schemaName())) {
      if (!schema.has("properties")) {
        return schema;
      }
      ObjectNode metadata = described.apply(reference.apply(META + "ObjectMeta"));
      metadata.put(
          "description",
          "Standard object's metadata: name, namespace, labels, annotations, versions.");
      Json.child(schema, "properties").set("metadata", metadata);
      return schema;
    }
    return list(resource, described, reference);
  }

  private static ObjectNode list(
      Resource resource,
      UnaryOperator<ObjectNode> described,
      Function<String, ObjectNode> reference) {
    ObjectNode list = Json.object();
    list.put("description", resource.descriptor().listKind() + " is a list of objects.");
    list.put("type", "object").putArray("required").add("items");
    ObjectNode properties = list.putObject("properties");
    properties.putObject("apiVersion").put("type", "string");
    properties.putObject("kind").put("type", "string");
    properties
        .putObject("items")
        .put("type", "array")
        .set("items", reference.apply(resource.descriptor().schemaName()));
    properties.set("metadata", described.apply(reference.apply(META + "ListMeta")));
    return list;
  }
}
