package io.fairlead.server.rest;

import io.fairlead.api.codec.DecodedBody;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.patch.GoText;
import io.fairlead.api.patch.JsonPatch;
import io.fairlead.api.patch.MergePatch;
import io.fairlead.api.patch.PatchBody;
import io.fairlead.api.patch.StrategicMergePatch;
import io.fairlead.api.schema.Conformer;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.schema.UnstructuredConversion;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Details;
import io.fairlead.server.request.MediaType;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads patches and applies them to what the client sees of an object.
final class PatchReader {
  private static final int SHOWN_MAX = 1 << 16;
  private static final String CUSTOM_PATCHES =
      "the body of the request was in an unknown format - accepted media types include:"
          + " application/json-patch+json, application/merge-patch+json,"
          + " application/apply-patch+yaml";

  private PatchReader() {}

  /// A patch with its options.
  interface Patch extends UpdateHandler.Change {
    WriteOptions options();
  }

  static Patch read(ResourceRequest call, Subresource.@Nullable View view) {
    String header = call.exchange().header("Content-Type");
    String type = header == null ? "" : MediaType.parse(header).type();
    BodyDecoder.Expected expected = BodyDecoder.Expected.of(call, view);
    if (expected.isCustom() && type.equals("application/strategic-merge-patch+json")) {
      throw new ApiException(Status.of(415, "UnsupportedMediaType", CUSTOM_PATCHES));
    }
    return switch (type) {
      case "application/json-patch+json" -> {
        WriteOptions options = options(call);
        byte[] body = BodyDecoder.bytes(call);
        ArrayNode operations = PatchBody.operations(body);
        checkOperations(call, operations);
        yield new Plain(
            call,
            expected,
            options,
            current -> JsonPatch.apply(current, operations),
            Json.object());
      }
      case "application/merge-patch+json" -> {
        WriteOptions options = options(call);
        byte[] body = BodyDecoder.bytes(call);
        ObjectNode patch = PatchBody.object(body);
        yield new Plain(
            call, expected, options, current -> MergePatch.apply(current, patch), patch);
      }
      case "application/strategic-merge-patch+json" -> {
        WriteOptions options = options(call);
        byte[] body = BodyDecoder.bytes(call);
        ObjectNode patch = PatchBody.strategic(body);
        StructType schema = expected.schema();
        yield new Plain(
            call,
            expected,
            options,
            current -> {
              ObjectNode result = StrategicMergePatch.apply(current, patch, schema);
              call.resource().patchWarnings(current, patch, result).forEach(call::warn);
              convert(result, schema, patch);
              return result;
            },
            Json.object());
      }
      case "application/apply-patch+yaml" -> ApplyPatch.read(call, expected, view);
      default ->
          throw new ApiException(
              Status.of(415, "UnsupportedMediaType", "415: Unsupported Media Type")
                  .withDetails(Details.EMPTY));
    };
  }

  private static WriteOptions options(ResourceRequest call) {
    return WriteOptions.parse(call.exchange(), "PatchOptions", false);
  }

  private static void checkOperations(ResourceRequest call, ArrayNode operations) {
    int most = call.core().limits().jsonPatchOperations();
    if (operations.size() > most) {
      throw new ApiException(
          Status.of(
              413,
              "RequestEntityTooLarge",
              "Request entity too large: The allowed maximum operations in a JSON patch is "
                  + most
                  + ", got "
                  + operations.size()));
    }
  }

  /// A patch whose result is held against the schema like a whole object.
  private record Plain(
      ResourceRequest call,
      BodyDecoder.Expected expected,
      WriteOptions options,
      UnaryOperator<ObjectNode> patch,
      ObjectNode touched)
      implements Patch {

    @Override
    public ObjectNode apply(ObjectNode current) {
      ObjectNode patched = patch.apply(current);
      BodyDecoder.keepReset(patched);
      DecodedBody decoded;
      try {
        checkType(patched);
        decoded = expected.conformed(new DecodedBody(patched, List.of()));
      } catch (DecodeException e) {
        throw unfit(shown(current), BodyDecoder.text(e));
      }
      if (!decoded.strictProblems().isEmpty()) {
        switch (options.strictness()) {
          case IGNORE -> {}
          case WARN -> decoded.strictProblems().forEach(call::warn);
          case STRICT ->
              throw unfit(
                  shown(current),
                  "strict decoding error: " + String.join(", ", decoded.strictProblems()));
        }
      }
      ObjectNode object = decoded.object();
      object.put("kind", expected.kind()).put("apiVersion", expected.apiVersion());
      ApplyPatch.checkNamed(call, object);
      return object;
    }

    /// The result as the text about it shows it: what was not touched has Go's order, the rest is
    /// sorted.
    private String shown(ObjectNode current) {
      JsonNode ordered =
          expected.isCustom() ? current : GoForm.external(current, expected.schema().name());
      return sorted(patch.apply((ObjectNode) ordered), touched).toString();
    }

    private void checkType(ObjectNode patched) {
      for (String field : List.of("apiVersion", "kind")) {
        JsonNode value = patched.path(field);
        if (!expected.isCustom() && !value.isMissingNode() && !value.isString()) {
          throw new DecodeException(
              "couldn't get version/kind; json parse error: json: cannot unmarshal "
                  + Conformer.shown(value)
                  + " into Go struct field ."
                  + field
                  + " of type string");
        }
      }
    }
  }

  /// The result of a strategic merge becomes an object by conversion; texts about that show the
  /// patch.
  private static void convert(ObjectNode result, StructType schema, ObjectNode patch) {
    try {
      UnstructuredConversion.convert(result, schema);
    } catch (DecodeException e) {
      throw unfit(GoText.of(patch), BodyDecoder.text(e));
    }
  }

  /// The 422 of a patch whose result is no such object; it names neither kind nor name.
  private static ApiException unfit(String value, String why) {
    String shown = value.length() > SHOWN_MAX ? value.substring(0, SHOWN_MAX) + "…" : value;
    return ApiException.invalid("", "", "", List.of(FieldError.invalid("patch", shown, why)));
  }

  /// A merge sorts the members of every object it looks into.
  private static JsonNode sorted(JsonNode object, JsonNode touched) {
    JsonNode result = GoForm.sorted(object);
    for (Map.Entry<String, JsonNode> member : result.properties()) {
      JsonNode inner = touched.path(member.getKey());
      if (inner.isObject() && member.getValue().isObject()) {
        member.setValue(sorted(member.getValue(), inner));
      }
    }
    return result;
  }
}
