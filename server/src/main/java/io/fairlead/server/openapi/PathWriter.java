package io.fairlead.server.openapi;

import io.fairlead.api.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Writes operations under their paths, in the dialect of OpenAPI 2 or 3.
final class PathWriter {
  private static final List<String> MEDIA_TYPES =
      List.of("application/json", "application/yaml", "application/vnd.kubernetes.protobuf");
  private static final List<String> PATCH_TYPES =
      List.of(
          "application/json-patch+json",
          "application/merge-patch+json",
          "application/strategic-merge-patch+json",
          "application/apply-patch+yaml");

  private final SchemaWriter schemas;
  private final boolean version3;

  PathWriter(SchemaWriter schemas, boolean version3) {
    this.schemas = schemas;
    this.version3 = version3;
  }

  ObjectNode paths(List<Operation> operations) {
    Map<String, ObjectNode> items = new TreeMap<>();
    for (Operation operation : operations) {
      items
          .computeIfAbsent(operation.path(), this::item)
          .set(operation.method(), operation(operation));
    }
    ObjectNode out = Json.object();
    items.forEach(out::set);
    return out;
  }

  /// A path with the parameters that stand in it.
  private ObjectNode item(String path) {
    ObjectNode item = Json.object();
    ArrayNode parameters = Json.array();
    for (String part : path.split("/", -1)) {
      if (part.startsWith("{")) {
        String name = part.substring(1, part.length() - 1);
        ObjectNode parameter =
            parameters.addObject().put("name", name).put("in", "path").put("required", true);
        type(parameter, "string");
      }
    }
    if (!parameters.isEmpty()) {
      item.set("parameters", parameters);
    }
    return item;
  }

  private ObjectNode operation(Operation operation) {
    ObjectNode out = Json.object();
    out.put("description", operation.description()).put("operationId", operation.id());
    if (!version3) {
      texts(out, "consumes", operation.isPatch() ? PATCH_TYPES : List.of("*/*"));
      texts(out, "produces", MEDIA_TYPES);
    }
    ArrayNode parameters = Json.array();
    for (Parameter parameter : operation.parameters()) {
      parameters.add(query(parameter));
    }
    body(operation, out, parameters);
    if (!parameters.isEmpty()) {
      out.set("parameters", parameters);
    }
    ObjectNode ok = out.putObject("responses").putObject("200").put("description", "OK");
    content(ok, operation.answer(), MEDIA_TYPES);
    out.put("x-kubernetes-action", operation.action());
    out.set("x-kubernetes-group-version-kind", SchemaWriter.kind(operation.kind()));
    return out;
  }

  private void body(Operation operation, ObjectNode out, ArrayNode parameters) {
    String body = operation.body();
    if (body == null) {
      return;
    }
    boolean required = !operation.method().equals("delete");
    if (version3) {
      ObjectNode request = out.putObject("requestBody");
      content(request, body, operation.isPatch() ? PATCH_TYPES : List.of("*/*"));
      if (required) {
        request.put("required", true);
      }
    } else {
      ObjectNode parameter = parameters.addObject().put("name", "body").put("in", "body");
      if (required) {
        parameter.put("required", true);
      }
      parameter.set("schema", schemas.reference(body));
    }
  }

  /// Version 2 names the media types once per operation, version 3 with every body.
  private void content(ObjectNode holder, @Nullable String struct, List<String> types) {
    if (struct == null) {
      return;
    }
    if (version3) {
      ObjectNode content = holder.putObject("content");
      for (String type : types) {
        content.putObject(type).set("schema", schemas.reference(struct));
      }
    } else {
      holder.set("schema", schemas.reference(struct));
    }
  }

  private ObjectNode query(Parameter parameter) {
    ObjectNode out =
        Json.object()
            .put("name", parameter.name())
            .put("in", "query")
            .put("description", parameter.description());
    type(out, parameter.type());
    return out;
  }

  private void type(ObjectNode parameter, String type) {
    ObjectNode holder = version3 ? parameter.putObject("schema") : parameter;
    holder.put("type", type).put("uniqueItems", true);
  }

  private static void texts(ObjectNode out, String name, List<String> values) {
    ArrayNode list = out.putArray(name);
    values.forEach(list::add);
  }
}
