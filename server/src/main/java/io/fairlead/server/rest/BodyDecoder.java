package io.fairlead.server.rest;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.limits.Bodies;
import io.fairlead.server.request.MediaType;
import io.fairlead.server.resource.Descriptor;
import io.fairlead.server.resource.Subresource;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the object in a request body.
final class BodyDecoder {
  private static final String UNKNOWN_FORMAT =
      "the body of the request was in an unknown format - accepted media types include:"
          + " application/json, application/yaml, application/vnd.kubernetes.protobuf";

  private BodyDecoder() {}

  /// What the body should hold: the kind of the path, or of a subresource.
  record Expected(String group, String version, String kind, String schemaName) {
    static Expected of(Descriptor descriptor) {
      return new Expected(
          descriptor.group(), descriptor.version(), descriptor.kind(), descriptor.schemaName());
    }

    static Expected of(Subresource subresource) {
      return new Expected(
          subresource.group(), subresource.version(), subresource.kind(), subresource.schemaName());
    }

    String apiVersion() {
      return group.isEmpty() ? version : group + "/" + version;
    }
  }

  static ObjectNode read(Call call, Expected expected, WriteOptions options) {
    byte[] bytes = Bodies.read(call.exchange(), call.core().limits().bodyBytes());
    ObjectNode object = parse(contentType(call), bytes);
    checkKind(object, expected);
    Json.dropNulls(object);
    return object;
  }

  /// The options of a deletion, from the body or the query.
  static DeleteOptions deleteOptions(Call call) {
    byte[] bytes = Bodies.read(call.exchange(), call.core().limits().bodyBytes());
    ObjectNode body = bytes.length == 0 ? null : parse(contentType(call), bytes);
    return DeleteOptions.parse(body, call.exchange().query());
  }

  private static String contentType(Call call) {
    String header = call.exchange().header("Content-Type");
    return header == null || header.isBlank() ? "application/json" : MediaType.parse(header).type();
  }

  private static ObjectNode parse(String type, byte[] bytes) {
    if (!type.equals("application/json")) {
      throw new ApiException(Status.of(415, "UnsupportedMediaType", UNKNOWN_FORMAT));
    }
    try {
      JsonNode tree = Json.parse(bytes);
      if (tree instanceof ObjectNode object) {
        return object;
      }
      throw ApiException.badRequest("the body of the request is not a JSON object");
    } catch (JacksonException e) {
      throw ApiException.badRequest(
          "the body of the request is not JSON: " + e.getOriginalMessage());
    }
  }

  /// A body without kind and apiVersion is taken as what the path says.
  private static void checkKind(ObjectNode object, Expected expected) {
    String kind = Json.textOr(object, "", "kind");
    String apiVersion = Json.textOr(object, "", "apiVersion");
    if (kind.isEmpty()) {
      object.put("kind", expected.kind());
      kind = expected.kind();
    }
    if (apiVersion.isEmpty()) {
      object.put("apiVersion", expected.apiVersion());
      apiVersion = expected.apiVersion();
    }
    String problem = mismatch(kind, apiVersion, expected);
    if (problem != null) {
      throw ApiException.badRequest(problem);
    }
  }

  private static @Nullable String mismatch(String kind, String apiVersion, Expected expected) {
    if (kind.equals(expected.kind()) && apiVersion.equals(expected.apiVersion())) {
      return null;
    }
    return kind
        + " in version \""
        + apiVersion
        + "\" cannot be handled as a "
        + expected.kind()
        + ": no kind \""
        + kind
        + "\" is registered for version \""
        + apiVersion
        + "\" in scheme \"fairlead\"";
  }
}
