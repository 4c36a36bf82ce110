package io.fairlead.server.rest;

import io.fairlead.api.codec.BodyFormat;
import io.fairlead.api.codec.DecodedBody;
import io.fairlead.api.codec.Decoder;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.json.JsonSyntax;
import io.fairlead.api.protobuf.Envelope;
import io.fairlead.api.schema.Conformer;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.server.limits.RequestBodyReader;
import io.fairlead.server.request.MediaType;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the object in a request body: JSON, YAML or protobuf, held against its schema.
final class BodyDecoder {
  private static final String UNKNOWN_FORMAT =
      "the body of the request was in an unknown format - accepted media types include:"
          + " application/json, application/yaml";
  private static final String PROTOBUF_TOO = ", application/vnd.kubernetes.protobuf";
  private static final String NO_VERSION = "couldn't get version/kind; json parse error: ";
  private static final int SUMMARY_BYTES = 30;
  private static final String DELETE_OPTIONS = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";

  private BodyDecoder() {}

  /// What the body should hold: the kind of the path, or of a subresource.
  ///
  /// @param resource whose objects they are; null when the kind belongs elsewhere
  record Expected(
      String group, String version, String kind, String schemaName, @Nullable Resource resource) {
    static Expected of(Resource resource) {
      ResourceDescriptor descriptor = resource.descriptor();
      return new Expected(
          descriptor.group(),
          descriptor.version(),
          descriptor.kind(),
          descriptor.schemaName(),
          resource);
    }

    /// What a subresource takes, which may be the whole object.
    static Expected of(Subresource subresource, Resource parent) {
      String own = parent.descriptor().schemaName();
      return subresource.schemaName().equals(own)
          ? of(parent)
          : new Expected(
              subresource.group(),
              subresource.version(),
              subresource.kind(),
              subresource.schemaName(),
              null);
    }

    /// What a request is about: the object, or what the view shows of it.
    static Expected of(ResourceRequest call, Subresource.@Nullable View view) {
      return view == null ? of(call.resource()) : of(view, call.resource());
    }

    String apiVersion() {
      return group.isEmpty() ? version : group + "/" + version;
    }

    StructType schema() {
      return resource == null ? Schemas.kubernetes().struct(schemaName) : resource.schema();
    }

    boolean isCustom() {
      return resource != null && resource.isCustom();
    }

    boolean hasProtobuf() {
      return resource == null || resource.hasProtobuf();
    }

    /// Makes a tree fit the kind.
    DecodedBody conformed(DecodedBody parsed) {
      return resource == null ? Decoder.conformed(parsed, schema()) : resource.conformed(parsed);
    }

    /// What Go calls the package of the kind: `core`, `networking`.
    String internalPackage() {
      if (group.isEmpty() || group.equals("events.k8s.io")) {
        return "core";
      }
      int dot = group.indexOf('.');
      return dot < 0 ? group : group.substring(0, dot);
    }

    /// `Service in version "v1" cannot be handled as a Service: WHY`, without the group.
    ApiException cannotHandle(String givenKind, String givenVersion, String why) {
      return ApiException.badRequest(
          givenKind
              + " in version \""
              + versionOnly(givenVersion)
              + "\" cannot be handled as a "
              + kind
              + ": "
              + why);
    }
  }

  /// Reads the body of a POST or PUT.
  static ObjectNode read(ResourceRequest call, Expected expected, WriteOptions options) {
    byte[] bytes = bytes(call);
    BodyFormat format = format(call);
    if (format == BodyFormat.PROTOBUF && !expected.hasProtobuf()) {
      throw new ApiException(Status.of(415, "UnsupportedMediaType", UNKNOWN_FORMAT));
    }
    DecodedBody decoded;
    if (format == BodyFormat.PROTOBUF) {
      decoded = protobuf(call, bytes, expected);
    } else {
      DecodedBody parsed = parse(bytes, format, expected);
      checkKind(call, parsed.object(), bytes, expected);
      keepReset(parsed.object());
      try {
        decoded =
            expected.isCustom()
                ? expected.conformed(parsed)
                : Decoder.conformed(parsed, expected.schema(), bytes, format);
      } catch (DecodeException e) {
        throw expected.cannotHandle(expected.kind(), expected.apiVersion(), text(e));
      }
    }
    report(call, decoded, expected, options);
    ObjectNode object = decoded.object();
    object.put("apiVersion", expected.apiVersion());
    if (!expected.isCustom()) {
      object.put("kind", expected.kind());
    }
    return object;
  }

  /// The options of a deletion, from the body or the query.
  static DeleteRequestOptions deleteOptions(ResourceRequest call) {
    byte[] bytes = bytes(call);
    ObjectNode body = null;
    if (bytes.length > 0) {
      BodyFormat format = format(call);
      try {
        if (format != BodyFormat.PROTOBUF) {
          checkIsDeleteOptions(Decoder.parse(bytes, format).object());
        }
        body = Decoder.decode(bytes, format, Schemas.kubernetes().struct(DELETE_OPTIONS)).object();
      } catch (DecodeException e) {
        String syntax = format == BodyFormat.JSON ? JsonSyntax.problem(bytes) : "";
        throw ApiException.badRequest(syntax.isEmpty() ? text(e) : NO_VERSION + syntax);
      }
    }
    return DeleteRequestOptions.parse(body, call.exchange().query());
  }

  private static void checkIsDeleteOptions(ObjectNode body) {
    String kind = Json.textOr(body, "", "kind");
    if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
      throw ApiException.badRequest(
          noKind(kind, Json.textOr(body, "v1", "apiVersion"), "the options of a deletion"));
    }
  }

  /// An empty managedFields asks to forget all owners, but empty lists are dropped when an object
  /// is held against its schema; one empty entry says the same and stays.
  static void keepReset(ObjectNode object) {
    if (object.path("metadata").path("managedFields") instanceof ArrayNode owners
        && owners.isEmpty()) {
      owners.addObject();
    }
  }

  static byte[] bytes(ResourceRequest call) {
    return RequestBodyReader.read(call.exchange(), call.core().limits().bodyBytes());
  }

  static String text(DecodeException problem) {
    String message = problem.getMessage();
    return message == null ? "malformed" : message;
  }

  private static BodyFormat format(ResourceRequest call) {
    String header = call.exchange().header("Content-Type");
    if (header == null || header.isBlank()) {
      return BodyFormat.JSON;
    }
    return switch (MediaType.parse(header).type()) {
      case "application/json" -> BodyFormat.JSON;
      case "application/yaml" -> BodyFormat.YAML;
      case "application/vnd.kubernetes.protobuf" -> BodyFormat.PROTOBUF;
      default ->
          throw new ApiException(
              Status.of(415, "UnsupportedMediaType", UNKNOWN_FORMAT + PROTOBUF_TOO));
    };
  }

  private static DecodedBody parse(byte[] bytes, BodyFormat format, Expected expected) {
    try {
      return Decoder.parse(bytes, format);
    } catch (DecodeException e) {
      if (format == BodyFormat.YAML && bytes.length > 0) {
        throw unrecognized(expected, "yaml: " + text(e), bytes);
      }
      String syntax = JsonSyntax.problem(bytes);
      if (!syntax.isEmpty()) {
        throw unrecognized(expected, NO_VERSION + syntax, bytes);
      }
      String found = kindOfValue(bytes);
      if (found.equals("null")) {
        return new DecodedBody(Json.object(), List.of());
      }
      throw unrecognized(
          expected,
          found.equals("object")
              ? text(e)
              : NO_VERSION
                  + "json: cannot unmarshal "
                  + found
                  + " into Go value of type struct { APIVersion string"
                  + " \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
                  + " \"json:\\\"kind,omitempty\\\"\" }",
          bytes);
    }
  }

  /// What sort of JSON value these bytes hold; they are known to hold one.
  private static String kindOfValue(byte[] json) {
    for (byte b : json) {
      switch (b) {
        case ' ', '\t', '\r', '\n' -> {
          // Blanks before the value.
        }
        case '{' -> {
          return "object";
        }
        case '[' -> {
          return "array";
        }
        case '"' -> {
          return "string";
        }
        case 'n' -> {
          return "null";
        }
        case 't', 'f' -> {
          return "bool";
        }
        default -> {
          return "number";
        }
      }
    }
    return "object";
  }

  private static DecodedBody protobuf(ResourceRequest call, byte[] bytes, Expected expected) {
    try {
      Envelope envelope = Envelope.open(bytes);
      check(call, envelope.kind(), envelope.apiVersion(), expected);
      return Decoder.decode(bytes, BodyFormat.PROTOBUF, expected.schema());
    } catch (DecodeException e) {
      throw unrecognized(expected, text(e), bytes);
    }
  }

  /// The answer to a body that does not even say what it is.
  private static ApiException unrecognized(Expected expected, String why, byte[] body) {
    return ApiException.badRequest(
        "the object provided is unrecognized (must be of type "
            + expected.kind()
            + "): "
            + why
            + " ("
            + summary(body)
            + ")");
  }

  /// The first bytes of a body: as they are when it begins like JSON, in hexadecimal otherwise.
  private static String summary(byte[] body) {
    if (body.length == 0) {
      return "<empty>";
    }
    byte[] head = Arrays.copyOf(body, Math.min(body.length, SUMMARY_BYTES));
    String shown =
        body[0] == '{' ? new String(head, StandardCharsets.UTF_8) : HexFormat.of().formatHex(head);
    return body.length > SUMMARY_BYTES ? shown + " ..." : shown;
  }

  private static void checkKind(
      ResourceRequest call, ObjectNode object, byte[] body, Expected expected) {
    for (String member : List.of("apiVersion", "kind")) {
      JsonNode value = object.path(member);
      if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
        throw unrecognized(
            expected,
            NO_VERSION
                + "json: cannot unmarshal "
                + Conformer.shown(value)
                + " into Go struct field ."
                + member
                + " of type string",
            body);
      }
    }
    if (expected.isCustom() && Json.textOr(object, "", "kind").isEmpty()) {
      String shown = new String(body, StandardCharsets.UTF_8);
      throw unrecognized(expected, "Object 'Kind' is missing in '" + shown + "'", body);
    }
    String apiVersion = Json.textOr(object, "", "apiVersion");
    if (apiVersion.indexOf('/') != apiVersion.lastIndexOf('/')) {
      throw unrecognized(expected, "unexpected GroupVersion string: " + apiVersion, body);
    }
    check(call, Json.textOr(object, "", "kind"), apiVersion, expected);
  }

  /// A body without kind and apiVersion is taken as what the path says.
  private static void check(
      ResourceRequest call, String givenKind, String givenVersion, Expected expected) {
    String kind = givenKind.isEmpty() ? expected.kind() : givenKind;
    String version = givenVersion.isEmpty() ? expected.apiVersion() : givenVersion;
    if (kind.equals(expected.kind()) && version.equals(expected.apiVersion())) {
      return;
    }
    if (expected.isCustom()) {
      if (!version.equals(expected.apiVersion())) {
        throw otherVersion(version, expected);
      }
      return;
    }
    if (!call.core().registry().hasKind(version, kind)) {
      throw expected.cannotHandle(kind, version, noKind(kind, version, "fairlead"));
    }
    if (kind.equals(expected.kind())) {
      throw otherVersion(version, expected);
    }
    throw expected.cannotHandle(
        kind,
        version,
        "converting ("
            + versionOnly(version)
            + "."
            + kind
            + ") to ("
            + expected.internalPackage()
            + "."
            + expected.kind()
            + "): unknown conversion");
  }

  private static ApiException otherVersion(String version, Expected expected) {
    return ApiException.badRequest(
        "the API version in the data ("
            + version
            + ") does not match the expected API version ("
            + expected.apiVersion()
            + ")");
  }

  private static String noKind(String kind, String version, String scheme) {
    return "no kind \""
        + kind
        + "\" is registered for version \""
        + version
        + "\" in scheme \""
        + scheme
        + "\"";
  }

  private static String versionOnly(String apiVersion) {
    return apiVersion.substring(apiVersion.indexOf('/') + 1);
  }

  private static void report(
      ResourceRequest call,
      DecodedBody decoded,
      Expected expected,
      @Nullable WriteOptions options) {
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
