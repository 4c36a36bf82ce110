package io.fairlead.api.patch;

import io.fairlead.api.json.Json;
import io.fairlead.api.json.JsonSyntax;
import io.fairlead.api.schema.Conformer;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the body of a PATCH request, or refuses it in the words that clients know.
public final class PatchBody {
  private static final String PREFIX = "error decoding patch: ";

  private PatchBody() {}

  /// The body of a merge patch: an object. 400 otherwise.
  public static ObjectNode object(byte[] body) {
    return object(body, PREFIX);
  }

  /// The body of a strategic merge patch: an object. 400 otherwise.
  public static ObjectNode strategic(byte[] body) {
    return object(body, "");
  }

  private static ObjectNode object(byte[] body, String prefix) {
    JsonNode node = read(body, prefix);
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw ApiException.badRequest(prefix + mismatch(node, "map[string]interface {}"));
  }

  /// The body of a JSON patch: a list of operations. 400 otherwise.
  public static ArrayNode operations(byte[] body) {
    JsonNode node = read(body, PREFIX);
    if (node instanceof ArrayNode list) {
      return list;
    }
    throw ApiException.badRequest(PREFIX + mismatch(node, "[]handlers.jsonPatchOp"));
  }

  private static JsonNode read(byte[] body, String prefix) {
    String problem = JsonSyntax.problem(body);
    if (!problem.isEmpty()) {
      throw ApiException.badRequest(prefix + problem);
    }
    try {
      return Json.parse(body);
    } catch (JacksonException e) {
      throw ApiException.badRequest(prefix + e.getOriginalMessage());
    }
  }

  private static String mismatch(JsonNode node, String type) {
    String shown = node.isNull() ? "null" : node.isNumber() ? "number" : Conformer.shown(node);
    return "json: cannot unmarshal " + shown + " into Go value of type " + type;
  }

  /// The 422 of a patch that does not fit the object: a generic text, and no details.
  static ApiException doesNotApply() {
    return new ApiException(
        Status.of(422, "Invalid", "the server rejected our request due to an error in our request")
            .withDetails(Status.Details.EMPTY));
  }

  /// A 422 that says why.
  static ApiException unprocessable(String why) {
    return new ApiException(Status.of(422, "Invalid", why).withDetails(Status.Details.EMPTY));
  }

  /// The 413 of a patch that asks for too much work.
  static ApiException tooMuch(String why) {
    return new ApiException(
        Status.of(413, "RequestEntityTooLarge", "Request entity too large: " + why));
  }
}
