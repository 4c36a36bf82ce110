package io.fairlead.server.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.codec.DecodedBody;
import io.fairlead.api.json.DecodeException;
import io.fairlead.api.patch.JsonPatch;
import io.fairlead.api.patch.MergePatch;
import io.fairlead.api.patch.PatchBody;
import io.fairlead.api.patch.StrategicMergePatch;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.FieldError;
import io.fairlead.api.status.Status;
import io.fairlead.api.status.Status.Details;
import io.fairlead.server.request.MediaType;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads patches and applies them to what the client sees of an object.
final class PatchReader {
  private static final int SHOWN_MAX = 2048;
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
            call, expected, options, body, current -> JsonPatch.apply(current, operations));
      }
      case "application/merge-patch+json" -> {
        WriteOptions options = options(call);
        byte[] body = BodyDecoder.bytes(call);
        ObjectNode patch = PatchBody.object(body);
        yield new Plain(call, expected, options, body, current -> MergePatch.apply(current, patch));
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
            body,
            current -> {
              ObjectNode result = StrategicMergePatch.apply(current, patch, schema);
              call.resource().patchWarnings(current, patch, result).forEach(call::warn);
              return result;
            });
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
      byte[] body,
      UnaryOperator<ObjectNode> patch)
      implements Patch {

    @Override
    public ObjectNode apply(ObjectNode current) {
      ObjectNode patched = patch.apply(current);
      BodyDecoder.keepReset(patched);
      DecodedBody decoded;
      try {
        decoded = expected.conformed(new DecodedBody(patched, List.of()));
      } catch (DecodeException e) {
        throw unfit(BodyDecoder.text(e));
      }
      if (!decoded.strictProblems().isEmpty()) {
        switch (options.strictness()) {
          case IGNORE -> {}
          case WARN -> decoded.strictProblems().forEach(call::warn);
          case STRICT ->
              throw unfit("strict decoding error: " + String.join(", ", decoded.strictProblems()));
        }
      }
      ObjectNode object = decoded.object();
      object.put("kind", expected.kind()).put("apiVersion", expected.apiVersion());
      return object;
    }

    /// The 422 of a patch whose result is no such object; it names neither kind nor name.
    private ApiException unfit(String why) {
      String text = new String(body, UTF_8);
      String shown = text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "…" : text;
      return ApiException.invalid("", "", "", List.of(FieldError.invalid("patch", shown, why)));
    }
  }
}
