package io.fairlead.app.review;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.server.auth.TokenAuthenticator;
import io.fairlead.server.auth.UserInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Has the API server say whose token it is. An answer is believed for ten seconds.
public final class TokenReviewAuthenticator implements TokenAuthenticator {
  private static final ResourceType REVIEWS =
      new ResourceType("authentication.k8s.io", "v1", "tokenreviews", "TokenReview", false);

  private final Client client;
  private final ExpiringCache<String, Outcome> known;

  public TokenReviewAuthenticator(Client client, ExpiringCache<String, Outcome> known) {
    this.client = client;
    this.known = known;
  }

  @Override
  public Outcome authenticate(String token, List<String> audiences) {
    return known.get(token, () -> review(token));
  }

  private Outcome review(String token) {
    ObjectNode review =
        Json.object().put("kind", REVIEWS.kind()).put("apiVersion", REVIEWS.apiVersion());
    review.putObject("spec").put("token", token);
    try {
      JsonNode status = client.create(REVIEWS, "", review).path("status");
      return status.path("authenticated").asBoolean(false)
          ? new Outcome.Known(user(status.path("user")), List.of())
          : new Outcome.Wrong(Json.textOr(status, "the API server does not know it", "error"));
    } catch (ApiException | ConnectionException e) {
      throw new ApiException(
          Status.of(503, "ServiceUnavailable", "the token cannot be checked: " + e.getMessage()));
    }
  }

  private static UserInfo user(JsonNode user) {
    List<String> groups = new ArrayList<>();
    user.path("groups").forEach(group -> groups.add(group.asString("")));
    Map<String, List<String>> extra = new HashMap<>();
    user.path("extra")
        .properties()
        .forEach(
            entry -> {
              List<String> values = new ArrayList<>();
              entry.getValue().forEach(value -> values.add(value.asString("")));
              extra.put(entry.getKey(), values);
            });
    return new UserInfo(
        Json.textOr(user, "", "username"), Json.textOr(user, "", "uid"), groups, extra);
  }
}
