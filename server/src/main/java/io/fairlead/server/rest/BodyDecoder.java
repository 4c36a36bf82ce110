package io.fairlead.server.rest;

import io.fairlead.api.codec.Decoded;
import io.fairlead.api.codec.Decoder;
import io.fairlead.api.codec.Format;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.protobuf.Envelope;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.limits.Bodies;
import io.fairlead.server.request.MediaType;
import io.fairlead.server.resource.Descriptor;
import io.fairlead.server.resource.Subresource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the object in a request body: JSON, YAML or protobuf, held against its schema.
final class BodyDecoder {
  private static final String UNKNOWN_FORMAT =
      "the body of the request was in an unknown format - accepted media types include:"
          + " application/json, application/yaml, application/vnd.kubernetes.protobuf";
  private static final String DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

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

    StructType schema() {
      return Schemas.kubernetes().struct(schemaName);
    }

    /// `Service in version "v1" cannot be handled as a Service: WHY`.
    ApiException cannotHandle(String givenKind, String givenVersion, String why) {
      return ApiException.badRequest(
          givenKind
              + " in version \""
              + givenVersion
              + "\" cannot be handled as a "
              + kind
              + ": "
              + why);
    }
  }

  /// Reads the body of a POST or PUT.
  static ObjectNode read(Call call, Expected expected, WriteOptions options) {
    byte[] bytes = bytes(call);
    Format format = format(call);
    Decoded decoded;
    if (format == Format.PROTOBUF) {
      decoded = protobuf(call, bytes, expected);
    } else {
      Decoded parsed = parse(bytes, format);
      checkKind(call, parsed.object(), expected);
      keepReset(parsed.object());
      try {
        decoded = Decoder.conformed(parsed, expected.schema());
      } catch (DecodeException e) {
        throw expected.cannotHandle(expected.kind(), expected.apiVersion(), text(e));
      }
    }
    report(call, decoded, expected, options);
    ObjectNode object = decoded.object();
    object.put("kind", expected.kind()).put("apiVersion", expected.apiVersion());
    return object;
  }

  /// The options of a deletion, from the body or the query.
  static DeleteOptions deleteOptions(Call call) {
    byte[] bytes = bytes(call);
    ObjectNode body = null;
    if (bytes.length > 0) {
      try {
        body =
            Decoder.decode(bytes, format(call), Schemas.kubernetes().struct(DELETE_OPTIONS))
                .object();
      } catch (DecodeException e) {
        throw ApiException.badRequest("the body cannot be read as DeleteOptions: " + text(e));
      }
    }
    return DeleteOptions.parse(body, call.exchange().query());
  }

  /// An empty managedFields asks to forget all owners, but empty lists are dropped when an object
  /// is held against its schema; one empty entry says the same and stays.
  static void keepReset(ObjectNode object) {
    if (object.path("metadata").path("managedFields") instanceof ArrayNode owners
        && owners.isEmpty()) {
      owners.addObject();
    }
  }

  static byte[] bytes(Call call) {
    return Bodies.read(call.exchange(), call.core().limits().bodyBytes());
  }

  static String text(DecodeException problem) {
    String message = problem.getMessage();
    return message == null ? "malformed" : message;
  }

  private static Format format(Call call) {
    String header = call.exchange().header("Content-Type");
    if (header == null || header.isBlank()) {
      return Format.JSON;
    }
    return switch (MediaType.parse(header).type()) {
      case "application/json" -> Format.JSON;
      case "application/yaml" -> Format.YAML;
      case "application/vnd.kubernetes.protobuf" -> Format.PROTOBUF;
      default -> throw new ApiException(Status.of(415, "UnsupportedMediaType", UNKNOWN_FORMAT));
    };
  }

  private static Decoded parse(byte[] bytes, Format format) {
    try {
      return Decoder.parse(bytes, format);
    } catch (DecodeException e) {
      throw ApiException.badRequest("the body of the request cannot be read: " + text(e));
    }
  }

  private static Decoded protobuf(Call call, byte[] bytes, Expected expected) {
    try {
      Envelope envelope = Envelope.open(bytes);
      check(call, envelope.kind(), envelope.apiVersion(), expected);
      return Decoder.decode(bytes, Format.PROTOBUF, expected.schema());
    } catch (DecodeException e) {
      throw ApiException.badRequest("the body of the request cannot be read: " + text(e));
    }
  }

  private static void checkKind(Call call, ObjectNode object, Expected expected) {
    check(call, Json.textOr(object, "", "kind"), Json.textOr(object, "", "apiVersion"), expected);
  }

  /// A body without kind and apiVersion is taken as what the path says.
  private static void check(Call call, String givenKind, String givenVersion, Expected expected) {
    String kind = givenKind.isEmpty() ? expected.kind() : givenKind;
    String version = givenVersion.isEmpty() ? expected.apiVersion() : givenVersion;
    if (kind.equals(expected.kind()) && version.equals(expected.apiVersion())) {
      return;
    }
    if (!call.core().registry().hasKind(version, kind)) {
      throw expected.cannotHandle(
          kind,
          version,
          "no kind \""
              + kind
              + "\" is registered for version \""
              + version
              + "\" in scheme \"fairlead\"");
    }
    if (kind.equals(expected.kind())) {
      throw ApiException.badRequest(
          "the API version in the data ("
              + version
              + ") does not match the expected API version ("
              + expected.apiVersion()
              + ")");
    }
    throw expected.cannotHandle(
        kind, version, "the path is that of " + expected.kind() + ", not of " + kind);
  }

  private static void report(
      Call call, Decoded decoded, Expected expected, @Nullable WriteOptions options) {
    if (options == null || decoded.strictProblems().isEmpty()) {
      return;
    }
    switch (options.strictness()) {
      case IGNORE -> {}
      case WARN -> decoded.strictProblems().forEach(call::warn);
      case STRICT ->
          throw expected.cannotHandle(
              expected.kind(),
              expected.apiVersion(),
              "strict decoding error: " + String.join(", ", decoded.strictProblems()));
    }
  }
}
