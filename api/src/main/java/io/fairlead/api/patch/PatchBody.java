package io.fairlead.api.patch;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Reads the body of a PATCH request, or refuses it in the words that clients know.
public final class PatchBody {
  private PatchBody() {}

  /// The body of a merge patch or strategic merge patch: an object. 400 otherwise.
  public static ObjectNode object(byte[] body) {
    JsonNode node = read(body);
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw undecodable("a merge patch is a JSON object, not " + node.getNodeType());
  }

  /// The body of a JSON patch: a list of operations. 400 otherwise.
  public static ArrayNode operations(byte[] body) {
    JsonNode node = read(body);
    if (node instanceof ArrayNode list) {
      return list;
    }
    throw undecodable("a JSON patch is a list of operations, not " + node.getNodeType());
  }

  private static JsonNode read(byte[] body) {
    try {
      return Json.parse(body);
    } catch (JacksonException e) {
      throw undecodable(e.getOriginalMessage());
    }
  }

  private static ApiException undecodable(String why) {
    return ApiException.badRequest("error decoding patch: " + why);
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
