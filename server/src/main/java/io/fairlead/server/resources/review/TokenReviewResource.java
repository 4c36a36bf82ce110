package io.fairlead.server.resources.review;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authenticator.Credentials;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Describe;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Whose token is this?
public final class TokenReviewResource extends ReviewResource {
  public TokenReviewResource() {
    super(
        Describe.cluster("authentication.k8s.io", "tokenreviews", "TokenReview")
            .createOnly()
            .build());
  }

  @Override
  void review(ObjectNode spec, ObjectNode metadata, ObjectNode status, RequestContext context) {
    String token = spec.path("token").asString("");
    if (token.isEmpty()) {
      throw ApiException.badRequest("token is required for TokenReview in authentication");
    }
    try {
      var user = context.authenticator().authenticate(new Credentials(null, token));
      Set<String> audiences = audiences(token);
      Set<String> wanted = strings(spec.path("audiences"));
      if (!wanted.isEmpty()) {
        audiences.retainAll(wanted);
        if (audiences.isEmpty()) {
          refuse(status, "token audiences do not include any of the requested ones");
          return;
        }
      }
      status.put("authenticated", true);
      showUser(status.putObject("user"), user);
      if (!audiences.isEmpty()) {
        ArrayNode shown = status.putArray("audiences");
        audiences.forEach(shown::add);
      }
    } catch (ApiException refused) {
      refuse(status, refused.status().message());
    }
  }

  private static void refuse(ObjectNode status, String why) {
    status.putObject("user");
    status.put("error", why);
  }

  /// The audiences that an accepted token names; none when it is not a JWT.
  private static Set<String> audiences(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return new LinkedHashSet<>();
    }
    try {
      JsonNode audience = Json.parse(Base64.getUrlDecoder().decode(parts[1])).path("aud");
      return audience.isString()
          ? new LinkedHashSet<>(Set.of(audience.stringValue()))
          : strings(audience);
    } catch (JacksonException | IllegalArgumentException notJwt) {
      return new LinkedHashSet<>();
    }
  }

  private static Set<String> strings(JsonNode list) {
    Set<String> all = new LinkedHashSet<>();
    list.forEach(item -> all.add(item.asString("")));
    return all;
  }
}
