package io.fairlead.policy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Who may read the debug pages: whose token the API server knows, and whom it lets `get` that
/// path. No user while it cannot be asked.
final class DebugAccess {
  private static final ResourceType TOKEN_REVIEWS =
      new ResourceType("authentication.k8s.io", "v1", "tokenreviews", "TokenReview", false);
  private static final ResourceType ACCESS_REVIEWS =
      new ResourceType(
          "authorization.k8s.io", "v1", "subjectaccessreviews", "SubjectAccessReview", false);

  private final Client client;

  DebugAccess(Client client) {
    this.client = client;
  }

  /// @param token empty when there is none
  boolean allows(String token, String path) {
    if (token.isEmpty()) {
      return false;
    }
    try {
      ObjectNode review = object(TOKEN_REVIEWS);
      review.putObject("spec").put("token", token);
      JsonNode known = client.create(TOKEN_REVIEWS, "", review).path("status");
      return known.path("authenticated").asBoolean(false) && mayGet(known.path("user"), path);
    } catch (ApiException | ConnectionException _) {
      return false;
    }
  }

  private boolean mayGet(JsonNode user, String path) {
    ObjectNode review = object(ACCESS_REVIEWS);
    ObjectNode spec = review.putObject("spec");
    spec.put("user", Json.textOr(user, "", "username")).put("uid", Json.textOr(user, "", "uid"));
    user.path("groups").forEach(spec.putArray("groups")::add);
    if (user.path("extra") instanceof ObjectNode extra) {
      spec.set("extra", extra);
    }
    spec.putObject("nonResourceAttributes").put("path", path).put("verb", "get");
    return client
        .create(ACCESS_REVIEWS, "", review)
        .path("status")
        .path("allowed")
        .asBoolean(false);
  }

  private static ObjectNode object(ResourceType type) {
    return Json.object().put("kind", type.kind()).put("apiVersion", type.apiVersion());
  }
}
